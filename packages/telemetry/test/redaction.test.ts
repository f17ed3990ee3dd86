import { Script } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor, MAX_REDACTED_CHARS, redactSource, redactText } from "../src/index.js";
import { SECRET_SAMPLES } from "./fixtures/secret-samples.js";

fc.configureGlobal({ seed: 11 });

describe("HIST-01: samples", () => {
  const numbered = SECRET_SAMPLES.map((sample, index) => [index + 1, sample] as const);

  test("HIST-01: there are sixty samples at least, in both languages", () => {
    expect(SECRET_SAMPLES.length).toBeGreaterThanOrEqual(60);
    expect(new Set(SECRET_SAMPLES.map(({ language }) => language)).size).toBe(2);
  });

  test.each(numbered)("HIST-01: sample %i leaks nothing, keeps all else, and stays as it is", (_number, sample) => {
    const given = sample.cell(sample.secret);
    const stored = redactSource(given);
    expect(stored).toBe(sample.stored ?? sample.cell("***"));
    expect(stored).not.toContain(sample.secret);
    expect(redactSource(stored)).toBe(stored);
  });

  test("HIST-01: what is stored of a JavaScript cell can still be read as one", () => {
    const sources = SECRET_SAMPLES.filter(({ language }) => language === "javascript").map(({ cell, secret }) =>
      cell(secret),
    );
    for (const source of sources) {
      expect(() => new Script(`async () => {\n${source}\n}`)).not.toThrow();
      expect(() => new Script(`async () => {\n${redactSource(source)}\n}`)).not.toThrow();
    }
  });
});

test.each([
  "const API_TOKEN = computeToken();",
  "const isSecret = true, password = null, token = undefined, secret = false;",
  'const token = await getToken("github", { retries: 3 });',
  "const password = generate(16) + suffix;",
  "const auth = `Bearer ${token}`; headers.authorization = 'Bearer ' + token;",
  'if (typeof token === "string" && token.length > 10) return "long";',
  'const maxTokens = 4096; const tokenType = "bearer"; const passwordField = "#pw"; const secretName = "prod/db";',
  'const tokens = text.split(" ").map((token) => token + "!");',
  "while (tokens[index] === '(') index++;",
  "const apiKey = process.env.API_KEY;",
  'const getToken = () => { const where = "memory"; return load(where); };',
  'const label = isReady ? token : "none"; const other = token ?? "";',
  'const half = total / 2; const re = /token: "x"/g; const rest = half / 3;',
  'const sorted = keys.sort(); const primary = { key: "id", keys: ["a", "b"] };',
  '// the token: computed below, see password handling\nconst n: Map<string, number> = new Map([["a", 1]]);',
  'const commit = "3f786850e387550fdab836ed7e6dc881de23001b"; const uuid = "9b2e1c1e-7a38-4c5f-8d2b-1f6f7c1a9e10";',
  "const sum = items.reduce((all, { price }) => all + price, 0);\nreturn { sum, at: new Date().toISOString() };",
  'return await mail({ subject: "Your password was changed", text: "Use the token field." });',
])("HIST-01: computations and plain literals stay: %s", (source) => {
  expect(redactSource(source)).toBe(source);
});

describe("HIST-01: registered secrets and patterns", () => {
  const options = { secrets: ["hunter2", 'with"quote', "a/b c", "**", ""], patterns: [/ACME-\d+/, "emp-[a-z]+"] };

  test.each([
    ['const greeting = "hunter2";', 'const greeting = "***";'],
    ["const a = x.hunter2; /* hunter2 */", "const a = x.***; /* *** */"],
    ['const a = "with\\"quote";', 'const a = "***";'],
    ["const a = 'with\"quote';", "const a = '***';"],
    ['fetch("https://a.test/?q=a%2Fb%20c")', 'fetch("https://a.test/?q=***")'],
    ['const a = "hun" + "ter2";', 'const a = "***" + "***";'],
    ['const a = "\\u0068unter2", b = "\\u{68}unter2";', 'const a = "***", b = "***";'],
    ['const a = "see ACME-4711", b = "emp-ada";', 'const a = "see ***", b = "***";'],
    ["const a = 2 ** 8;", "const a = 2 ** 8;"],
  ])("HIST-01: %s", (source, stored) => {
    expect(redactSource(source, options)).toBe(stored);
    expect(redactSource(stored, options)).toBe(stored);
  });

  test("HIST-01: secrets that masks bring together are masked until nothing is left", () => {
    const tricky = { secrets: ["a***b", "x***"] };
    const stored = redactSource('f("xhunter2"); g("ahunter2b")', { secrets: [...tricky.secrets, "hunter2"] });
    expect(stored).toBe('f("***"); g("***")');
  });

  test("HIST-01: a pattern that matches everything leaves a mask and no more", () => {
    expect(redactSource("const a = 1;\nreturn a;", { patterns: [/[^\n]/] })).toBe("***\n***");
    expect(redactSource("anything", { patterns: [/^/] })).toBe("anything");
  });

  test("HIST-01: a pattern that is none is refused", () => {
    expect(() => createRedactor({ patterns: ["("] })).toThrow('patterns[0]: must be a regular expression, not "(".');
  });
});

test("HIST-01: other texts lose their secrets too", () => {
  const redactor = createRedactor({ secrets: ["hunter2"] });
  const [sample] = SECRET_SAMPLES;
  const text = `Error: 401 for token=plum, header Authorization: Bearer ${sample?.secret ?? ""}, {"password":"x y"} hunter2`;
  const masked = 'Error: 401 for token=***, header Authorization: Bearer ***, {"password":"***"} ***';
  expect(redactor.text(text)).toBe(masked);
  expect(redactText(masked)).toBe(masked);
});

test("HIST-01: redacting again changes nothing, whatever the source is", () => {
  const pieces = [
    ..."\"'`${}()[]:=+,;/\\\n*?! ".split(""),
    ...["token", "password", "secrets", "hunter2", "===", "??", "//", "/*", "*/", "x", "***", "\\x68", "Bearer ", "=>"],
    ...SECRET_SAMPLES.slice(0, 6).map(({ secret }) => secret),
  ];
  const options = { secrets: ["hunter2", "x*"], patterns: [/n\*+/] };
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), (parts) => {
      const stored = redactSource(parts.join(""), options);
      expect(redactSource(stored, options)).toBe(stored);
      expect(stored).not.toContain("hunter2");
      const text = redactText(parts.join(""), options);
      expect(redactText(text, options)).toBe(text);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ["token=", "token=(", "token=[", "secrets:{secrets:{", 'password:"', "token?", "token:", "token=`${"],
  ["eyJ", "sk-", "Bearer ", "://a:", "-----BEGIN PRIVATE KEY-----", "key-", "-eyJ-", "0:"],
  ["=/[", "`${", "'", "\\\\", "/*", "a.token.", '"a"+', "{", "}", "token "],
  ["a", "é", "\ud800", "\u2028", "--token ", "token -", "x".repeat(1_000), " ".repeat(1_000)],
])("HIST-01: hostile sources of 200,000 characters take time in proportion: %s …", (...units) => {
  const startedAt = performance.now();
  for (const unit of units) {
    const source = unit.repeat(Math.ceil(200_000 / unit.length));
    const stored = redactSource(source);
    expect(stored.length).toBeLessThanOrEqual(source.length + 100);
  }
  expect(performance.now() - startedAt).toBeLessThan(30_000);
});

test("HIST-01: a source beyond all bounds is cut", () => {
  const stored = redactText("word ".repeat(MAX_REDACTED_CHARS / 4));
  expect([stored.length, stored.at(-1)]).toEqual([MAX_REDACTED_CHARS, "…"]);
  expect(redactText(stored)).toBe(stored);
});
