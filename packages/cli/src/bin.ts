#!/usr/bin/env node
// Imports nothing statically that an old Node could fail on, so that it is told what it lacks.
import { nodeVersionProblem } from "./node-version.js";

const problem = nodeVersionProblem(process.versions.node);
if (problem === undefined) {
  void import("./program.js").then((program) => program.runProgram());
} else {
  console.error(problem);
  process.exitCode = 2;
}
