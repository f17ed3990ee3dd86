import fc from "fast-check";
import { expect, test } from "vitest";
import { asCell, createLibraryCells, onHost } from "./library-cells.js";

const { valueOf } = createLibraryCells();

const PARTS = [
  ...["href", "origin", "protocol", "username", "password", "host", "hostname", "port"],
  ...["pathname", "search", "hash"],
];

/** What a function body comes to in a cell and on the host. */
async function bothWays(body: string, input: unknown): Promise<[guest: unknown, host: unknown]> {
  return [await valueOf(asCell(body, input)), onHost(body, input)];
}

const urlLike = fc.oneof(
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...Array.from("htps:/\\@.%?#[]&=+ aé1漢\t"), "\ud800"), maxLength: 30 }),
  fc
    .tuple(fc.constantFrom("http://", "file:///", "data:", "ftp://u:p@", "//", "../"), fc.string())
    .map((p) => p.join("")),
);

test("GUEST-03: any text is the URL that it is on the host, or none", async () => {
  const inputs = fc.sample(fc.tuple(urlLike, fc.option(urlLike, { nil: undefined })), { seed: 3, numRuns: 1_500 });
  const body = `return input.map(([url, base]) => {
    try {
      const made = new URL(url, base ?? undefined);
      return ${JSON.stringify(PARTS)}.map((part) => made[part]).concat([...made.searchParams].flat());
    } catch (error) {
      return error.name;
    }
  });`;
  const [guest, host] = await bothWays(
    body,
    inputs.map(([url, base]) => [url, base ?? null]),
  );
  expect(guest).toEqual(host);
});

test("GUEST-03: setting any part of a URL does what it does on the host", async () => {
  const part = fc.constantFrom(...PARTS.filter((name) => name !== "origin" && name !== "href"));
  const changes = fc.sample(fc.tuple(fc.webUrl(), part, fc.string({ unit: "binary" })), { seed: 5, numRuns: 800 });
  const body = `return input.map(([url, part, value]) => {
    const made = new URL(url);
    const params = made.searchParams;
    made[part] = value;
    params.append("né w", value);
    return [made.href, made.search, params.size, String(params)];
  });`;
  const [guest, host] = await bothWays(body, changes);
  expect(guest).toEqual(host);
});

test("GUEST-03: any query reads and writes as on the host", async () => {
  const text = fc.string({ unit: fc.constantFrom(...Array.from("a=&+%20?é#漢;"), "\ud800", "%f0%9f"), maxLength: 20 });
  const queries = fc.sample(fc.tuple(text, text, text), { seed: 7, numRuns: 500 });
  const body = `return input.map(([query, name, value]) => {
    const params = new URLSearchParams(query);
    const seen = [[...params], params.get(name), params.getAll(name), params.has(name, value), params.has(name)];
    params.append(name, value);
    params.set(name, query);
    params.append(value, name);
    params.delete(query);
    params.delete(name, value);
    params.sort();
    return [...seen, params.toString(), [...params.keys()], [...params.values()]];
  });`;
  const [guest, host] = await bothWays(body, queries);
  expect(guest).toEqual(host);
});

test.each([
  ['String(new URLSearchParams({ a: 1, b: "x y" }))', "a=1&b=x+y"],
  ['String(new URLSearchParams([["a", 1], new Set(["b", "2"])]))', "a=1&b=2"],
  ['String(new URLSearchParams(new Map([["a", "1"]])))', "a=1"],
  ['String(new URLSearchParams(new URLSearchParams("a=1&a=2")))', "a=1&a=2"],
  ["String(new URLSearchParams())", ""],
  ['JSON.stringify({ url: new URL("http://a") })', '{"url":"http://a/"}'],
  ['`${new URL("http://a/?b")}`', "http://a/?b"],
  ['[URL.canParse("x"), URL.canParse("x", "http://a")]', undefined],
  // Newer than some supported hosts.
  ['[URL.parse("x"), URL.parse("x", "http://a").href]', [null, "http://a/x"]],
  ['[new URL("http://a") instanceof URL, Object.prototype.toString.call(new URL("http://a")), URL.name]', undefined],
  ["[new URLSearchParams().toString.name, URLSearchParams.name, new URLSearchParams('a&b').size]", undefined],
])(
  "GUEST-03: %s",
  async (expression, value) => {
    const [guest, host] = await bothWays(`return ${expression};`, null);
    expect(guest).toEqual(value === undefined ? host : value);
    // `URL.parse` is newer than some supported hosts.
  },
  20_000,
);

test("GUEST-03: a URL and its parameters go on as their text in results and tool input", async () => {
  const code = `
    const url = new URL("http://a/?b=1");
    return { url, list: [url.searchParams], own: Object.keys(url) };`;
  expect(await valueOf(code)).toEqual({ url: "http://a/?b=1", list: ["b=1"], own: [] });
});

test.each([
  ['new URL("nope")', "TypeError: Invalid URL: nope"],
  ['new URL("http://a").href = "nope"', "TypeError: Invalid URL: nope"],
  ['URL("http://a")', "TypeError: class constructors must be invoked with 'new'"],
  ["new URLSearchParams([[1]])", "TypeError: Each query pair must be an iterable [name, value] pair"],
  ["new URLSearchParams().forEach(1)", "TypeError: forEach takes a function."],
  [
    'new URL("http://a/" + "b".repeat(70000))',
    "RangeError: A text of 70009 characters is too long here: at most 65536.",
  ],
])("GUEST-03: %s is refused", async (expression, message) => {
  expect(await valueOf(`try { ${expression}; } catch (error) { return error.name + ": " + error.message; }`)).toBe(
    message,
  );
});
