/**
 * Programs that go on long past a deadline unless something stops them, most inside one native operation that the engine
 * does not interrupt. None needs a tool; each ends as `timeout`.
 */
export const ESCAPE_PROGRAMS: Readonly<Record<string, string>> = {
  "endless loop": "while (true) {}",
  "join of a billion": 'return new Array(1e9).join("x").length;',
  "reverse of a billion": "return new Array(1e9).reverse().length;",
  "indexOf over megabytes": `
    const text = "a".repeat(4e6);
    const needle = "a".repeat(2e6) + "b";
    for (let i = 0; i < 1e6; i++) text.indexOf(needle);`,
  "split of megabytes": 'const text = "a,".repeat(1e6); while (true) text.split(",");',
  "stringify of millions": `
    const items = Array.from({ length: 3e5 }, (_, i) => ({ i }));
    const all = [];
    while (true) all.push(JSON.stringify(items).length);`,
  "parse of millions": 'const text = `[${"1,".repeat(1e6)}1]`; while (true) JSON.parse(text);',
  "spread and sort of millions": `
    const items = Array.from({ length: 1e6 }, (_, i) => (i * 7919) % 1000003);
    while (true) [...items].sort();`,
  "BigInt powers": "while (true) (7n ** 300_000n).toString();",
  "hostile Proxy as result": "return new Proxy({}, { ownKeys() { while (true) {} } });",
  "endless array as result": `
    const item = { value: 1, writable: true, enumerable: true, configurable: true };
    return new Proxy([], { get: (_, key) => (key === "length" ? 4e9 : 1), getOwnPropertyDescriptor: () => item });`,
  "millions of items as result": "const items = new Array(1e6).fill([]); return new Array(100).fill(items);",
  "regular expression": 'return /^(a+)+$/.test("a".repeat(40) + "b");',
  "microtask storm": "const again = () => Promise.resolve().then(again); await again();",
  "recursion in getters": `
    const box = { get deep() { try { return this.deep; } catch { return this.deep; } } };
    return box.deep;`,
  "recursion in Proxy traps": `
    const box = new Proxy({}, { get: (_, key, self) => { try { return self[key]; } catch { return self[key]; } } });
    return box.deep;`,
  "recursion in toString": `
    const box = { toString() { try { return \`\${box}\`; } catch { return \`\${box}\`; } } };
    return \`\${box}\`;`,
  "recursion in toJSON":
    "const box = { toJSON: () => { while (true) JSON.stringify({}); } }; return JSON.stringify(box);",
};
