import { expect, test } from "vitest";
import { callContext, connectFixture, firstServer, textOf } from "./connect-fixture.js";

test("MCP-10: an aborted call tells the server and rejects with the signal's reason", async () => {
  await using connection = await connectFixture("records-cancels.mjs");
  const server = firstServer(connection);
  const abort = new AbortController();
  const slow = server.callTool("slow", {}, callContext(abort.signal));
  const reason = new Error("the user pressed stop");
  abort.abort(reason);
  await expect(slow).rejects.toBe(reason);
  const { content } = await server.callTool("cancelled", {}, callContext());
  const { slowId, cancelled } = JSON.parse(textOf({ content })) as {
    slowId: number;
    cancelled: unknown[];
  };
  expect(cancelled).toEqual([{ requestId: slowId, reason: "Error: the user pressed stop" }]);
});

test("MCP-10: a call whose signal is aborted already is never sent", async () => {
  await using connection = await connectFixture("records-cancels.mjs");
  const server = firstServer(connection);
  const reason = new Error("too late");
  await expect(server.callTool("slow", {}, callContext(AbortSignal.abort(reason)))).rejects.toBe(reason);
  expect(await server.callTool("cancelled", {}, callContext())).toEqual({
    content: [{ type: "text", text: '{"cancelled":[]}' }],
  });
});

test("MCP-14: an aborted request for resources tells the server and rejects with the signal's reason", async () => {
  await using connection = await connectFixture("takes-its-time.mjs");
  const server = firstServer(connection);
  const abort = new AbortController();
  const list = server.resources?.list({}, { signal: abort.signal });
  const reason = new Error("the user pressed stop");
  abort.abort(reason);
  await expect(list).rejects.toBe(reason);
  expect(JSON.parse(textOf(await server.callTool("cancelled", {}, callContext())))).toHaveLength(1);
});

test("MCP-10: aborting the attempt to connect rejects with the reason", async () => {
  const abort = new AbortController();
  const connecting = connectFixture("hangs-at-start.mjs", {}, { signal: abort.signal });
  const reason = new Error("changed my mind");
  setTimeout(() => abort.abort(reason), 100);
  await expect(connecting).rejects.toBe(reason);
  await expect(connectFixture("hangs-at-start.mjs", {}, { signal: abort.signal })).rejects.toBe(reason);
});
