import { expect, test } from "vitest";
import type { McpServerDescriptor, McpToolDescriptor } from "@codemode/protocol";
import { tool } from "../test/fakes/test-host.js";
import { buildProjection } from "./projection.js";
import { createSharedProjections } from "./shared-projections.js";

const newOptions = () => ({ hostLabel: "host", catalogIncludesMcp: false, shared: createSharedProjections() });
const server = (tools: McpToolDescriptor[]): McpServerDescriptor => ({
  name: "files",
  tools,
  callTool: async () => ({ content: [] }),
});
const read: McpToolDescriptor = { name: "read", inputSchema: { type: "object" } };

test("SURF-05: runs with the very same descriptors share a projection, also after the same change", () => {
  const options = newOptions();
  const [echo, files] = [tool("echo", () => null), server([read])];
  const first = buildProjection({ tools: [echo], servers: [files] }, options);
  expect(buildProjection({ tools: [echo], servers: [files] }, options)).toBe(first);
  const changed = { tools: [echo], servers: [server([read])], previous: first };
  const second = buildProjection(changed, options);
  expect(second).not.toBe(first);
  expect(buildProjection({ ...changed, servers: [...changed.servers] }, options)).toBe(second);
});

test.each([
  ["another tool", { tools: [tool("echo", () => null)] }, {}],
  ["no tool", { tools: [] }, {}],
  ["another server of the same name", { servers: [server([read])] }, {}],
  ["another label", {}, { hostLabel: "gateway" }],
  ["MCP tools in the catalog", {}, { catalogIncludesMcp: true }],
])("SURF-05: a run with %s has a projection of its own", (_, given, otherOptions) => {
  const options = newOptions();
  const base = { tools: [tool("echo", () => null)], servers: [server([read])] };
  const first = buildProjection(base, options);
  expect(buildProjection({ ...base, ...given }, { ...options, ...otherOptions })).not.toBe(first);
});

test("SURF-05: a server whose list grew in place is read again, and a past is part of what a run sees", () => {
  const options = newOptions();
  const tools = [read];
  const files = server(tools);
  const first = buildProjection({ tools: [], servers: [files] }, options);
  expect(buildProjection({ tools: [], servers: [files], previous: first }, options)).not.toBe(first);
  tools.push({ name: "write", inputSchema: { type: "object" } });
  const names = buildProjection({ tools: [], servers: [files] }, options).bindings.map(
    ({ callableName }) => callableName,
  );
  expect(names).toEqual(["MCP.files.read", "MCP.files.write"]);
});
