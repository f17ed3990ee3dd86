import { describeRuntimeContract } from "@codemode/testing";
import { createPlainRuntime, createQuickJsRuntime } from "../src/index.js";

describeRuntimeContract("QuickJS-WASI with images", createQuickJsRuntime);
describeRuntimeContract("QuickJS-WASI, an engine per cell", createPlainRuntime);
