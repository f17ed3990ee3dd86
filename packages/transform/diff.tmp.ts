import { prepareSource, resolvePosition } from "./src/index.ts";
// @ts-ignore
import { comp, runErr } from "/tmp/lab/tx/eng.mjs";
import { readFileSync } from "node:fs";
const list = [...readFileSync("/tmp/lab/tx/e1.mjs","utf8").matchAll(/for \(const s of (\[.*\])\)/g)].flatMap(m=>eval(m[1]!)) as string[];
for (const s of list) { const e = comp(s); let a; try { await prepareSource(s,{language:"javascript"}); a="ok" } catch(x:any){ a=x.message }
 if ((a==="ok") !== (e==="ok")) console.log(JSON.stringify(s),"| engine:",e,"| ours:",a.slice(0,90)); }
// positions: run with the engine
function enginePos(code: string, pre: number) { const m = /:(\d+):(\d+)\)?$/.exec(String(runErr(code)).trim()); if(!m) return; const line=Number(m[1]); let col=Number(m[2]); if(line===1) col = col - pre; return { line, columnBytes: col }; }
const P: [string,string,string][] = [
 ["javascript","const é='é😀\\u2028';\nconst x = null;\n  x.foo","x.foo"],
 ["javascript","1;\r\n  nope()","nope()"],["javascript","1;\r/*\r*/  nope()","nope()"],["javascript","/*\u2028\u2029*/'\u2028';\u2028 nope()","nope()"],
 ["javascript","`a\u2028\r\nb\rc`; nope()","nope()"],["javascript","'é😀'; nope()","nope()"],["javascript","(async () => 1); 'é'; nope()","nope()"],
 ["javascript","\ufeffnope()","nope"],["javascript","```js\n  'é';nope()\n```","nope"],["javascript","export default /*é*/ nope()","nope"],
 ["typescript","interface A { x: number }\n\n\nconst s: string = 'é😀';   nope(s)","nope(s)"],
 ["typescript","enum C { A }\r\nconst a: number = 1;\r\nif (a) {\r\n      nope<string>(a as any);\r\n}","nope<"],
 ["typescript","const t = `a\r\nb\u2028c`;\n  nope()","nope"],["typescript","const a: any = null; const b: any = (a as any).foo.bar","(a as any)"],
 ["typescript","```ts\nconst n: number = 1;\nnope(n)\n```","nope"],["typescript","class P { constructor(public readonly x: number) { nope(); } }\nnew P(1)","nope"],
 ["typescript","throw new Error('x' as string)","Error"],["typescript","type T = {\n a: string\n};\nfunction f(x: T): number {\n  return x.a.length;\n}\nf(undefined as any)","x.a"],
];
for (const [lang,src,want] of P) { const p = await prepareSource(src,{language:lang as any}); const pos = enginePos(p.code,14); const loc = pos && resolvePosition(p,pos); 
 const i = src.indexOf(want); const lines = src.slice(0,i).split(/\r\n|\r|\n/); console.log(JSON.stringify(src).slice(0,70), "engine", JSON.stringify(pos), "got", JSON.stringify(loc), "start of", want, lines.length, lines.at(-1)!.length+1); }
