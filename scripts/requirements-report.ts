// Says which requirements tests prove. Usage: tsx scripts/requirements-report.ts [--update]
//
// Prints the proved, partly proved and open ids, and exits with 1 when docs/requirements-status.json disagrees with the
// names of the tests. With --update an open id that a test names becomes partial and an id that no test names becomes
// open; whether partial is proved is for a person to say.
import { checkRequirements, readRequirements, readStatus, requirementNamings } from "./rules/requirement-status.js";
import { STATUS_FILE, type RequirementStatus } from "./rules/requirement-status.js";
import { settleGeneratedFiles } from "./workspace/generated-file.js";
import { reportProblems } from "./workspace/problems.js";
import { readSourceTree } from "./workspace/source-tree.js";

if (process.argv.includes("--update")) update();
const tree = readSourceTree();
const status = readStatus(tree);
for (const wanted of ["proved", "partial", "open"] as const) {
  const ids = readRequirements(tree).filter(({ id }) => status[id] === wanted);
  console.log(`${wanted} (${ids.length}): ${ids.map(({ id }) => id).join(" ")}`);
}
reportProblems("requirements", checkRequirements(tree));

function update(): void {
  const before = readSourceTree();
  const [old, named] = [readStatus(before), new Set(requirementNamings(before).map(({ id }) => id))];
  const entries = readRequirements(before).map(({ id }): [string, RequirementStatus] => {
    if (!named.has(id)) return [id, "open"];
    return [id, old[id] === "proved" ? "proved" : "partial"];
  });
  const text = `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
  settleGeneratedFiles([{ path: STATUS_FILE, text }], false, "tsx scripts/requirements-report.ts --update");
}
