import { describeRuntimeContract } from "@codemode/testing";
import { createQuickJsRuntime } from "../src/index.js";

describeRuntimeContract("QuickJS-WASI, a VM per cell", createQuickJsRuntime);
