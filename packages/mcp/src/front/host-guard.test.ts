import { expect, test } from "vitest";
import { createHostGuard, isLoopback } from "./host-guard.js";

const HOST = "the Host header names no host that this server answers for";
const ORIGIN = "requests of this Origin are refused";

test.each([
  ["127.0.0.1", true],
  ["127.8.8.8", true],
  ["localhost", true],
  ["::1", true],
  ["0.0.0.0", false],
  ["::", false],
  ["192.168.1.2", false],
  ["127.0.0.1.example", false],
])("E2E-03: %s is a loopback address: %s", (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});

test.each([
  ["127.0.0.1", { host: "127.0.0.1:80" }, undefined],
  ["127.0.0.1", { host: "LOCALHOST" }, undefined],
  ["127.0.0.1", { host: "[::1]:80", origin: "http://[::1]:99" }, undefined],
  ["127.0.0.1", {}, HOST],
  ["127.0.0.1", { host: "evil.example" }, HOST],
  ["127.0.0.1", { host: "192.168.1.2" }, HOST],
  ["127.0.0.1", { host: "localhost.evil.example" }, HOST],
  ["127.0.0.1", { host: "localhost@evil.example" }, HOST],
  ["127.0.0.1", { host: "local host" }, HOST],
  ["127.0.0.1", { host: "localhost", origin: "http://evil.example" }, ORIGIN],
  ["127.0.0.1", { host: "localhost", origin: "null" }, ORIGIN],
  ["127.0.0.1", { host: "localhost", origin: "file:///" }, ORIGIN],
  ["0.0.0.0", { host: "192.168.1.2:80" }, undefined],
  ["0.0.0.0", { host: "[fe80::1]" }, undefined],
  ["0.0.0.0", { host: "evil.example" }, HOST],
  ["::", { host: "build.example", origin: "https://build.example" }, undefined],
])("E2E-03: listening on %s, %j gives %s", (listening, headers, expected) => {
  expect(createHostGuard(listening, ["Build.Example"]).problem(headers)).toBe(expected);
});
