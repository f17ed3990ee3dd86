import fc from "fast-check";
import { prepareSource, resolvePosition, SourceError } from "./src/index.ts";
// @ts-ignore
import { comp } from "/tmp/lab/tx/eng.mjs";
import { readFileSync } from "node:fs";
const cases = (Object.values(JSON.parse(readFileSync("/work/shared/cases/program-cases.json","utf8"))) as any[]).filter(c=>c?.code).map(c=>c.code as string);
const soup = fc.array(fc.constantFrom("import","export","default","async","function","main","(",")","{","}","[","]","=>",";","\n","\r","\u2028","`","${","'",'"',"/","*","//","/*","*/","return","await","yield","require","ls","-la","const","let","var","class","extends","x","a.b","1","'s'","=","+","!","?","?.",":",",","<",">","enum","type","interface","namespace","as","satisfies","@d","#p","...","in","of","for","if","else","try","catch","finally","new","this","super","static","get","set","switch","case","while","do","break","continue","label:","\ufeff","```","\\u0061","0x","1n","/re/g"," "," ","<!--","-->","using","accessor","declare","abstract","public","readonly","import.meta","import(","export default","é","😀","\ud800","module","global","implements","infer","keyof","is","asserts","never","of","private"), {maxLength:25}).map(a=>a.join(" "));
const soup2 = soup.map(s=>s.replaceAll(" ",""));
const mutated = fc.tuple(fc.constantFrom(...cases), fc.nat(), fc.nat(12), soup).map(([c,i,n,s])=>{ const k=i%(c.length+1); return c.slice(0,k)+s.slice(0,20)+c.slice(k+n)});
const spliced = fc.tuple(fc.constantFrom(...cases), fc.constantFrom(...cases), fc.nat(), fc.nat()).map(([a,b,i,j])=>a.slice(0,i%(a.length+1))+b.slice(j%(b.length+1)));
const any = fc.oneof(fc.string({maxLength:200, unit:"binary"}), soup, soup2, mutated, spliced);
const stats: Record<string,number> = {}; let slow=0; const gaps = new Map<string,string>();
const lang = process.argv[2] as any; const seed = Number(process.argv[4] ?? 1);
await fc.assert(fc.asyncProperty(any, async (s)=>{ const t=performance.now(); try { const p = await prepareSource(s,{language:lang}); stats.ok=(stats.ok??0)+1; 
   for (const pos of [{line:1,columnBytes:1},{line:2,columnBytes:3},{line:99,columnBytes:99}]) { const l = resolvePosition(p,pos); if (l && (l.line<1||l.column<1||l.line>s.split(/\r\n|\r|\n/).length)) throw new Error("loc "+JSON.stringify(l)); }
   let base=""; let at=0; for (const i of p.insertions){ base+=p.code.slice(at,i.offset); at=i.offset+i.length } base+=p.code.slice(at);
   if (lang==="javascript" && base.length!==s.length) throw new Error("length");
   const e = comp(p.code); if (e!=="ok") { gaps.set(e.replace(/@.*/s,"").replace(/'.*?'/g,"''"), JSON.stringify(s).slice(0,150)+" => "+JSON.stringify(p.code).slice(0,200)); }
 } catch(e) { if (!(e instanceof SourceError)) throw e; const k=e.message.replace(/\(line.*/,"").slice(0,40); stats[k]=(stats[k]??0)+1; } const d=performance.now()-t; if(d>slow&&d>200){slow=d; console.log("slow",d,JSON.stringify(s).slice(0,200))} }), {numRuns:Number(process.argv[3]), seed, endOnFailure:true});
console.log(stats.ok, Object.keys(stats).length, slow); console.log([...gaps]);
