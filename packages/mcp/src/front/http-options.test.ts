import { expect, test } from "vitest";
import { resolveHttpOptions } from "./http-options.js";

test.each(["http://build.example/", "build.example:80", "a b", ""])(
  "E2E-03: %j is no host name, and could never be the one of a request",
  (name) => {
    const problem = `holds ${JSON.stringify(name)}, which is no host name; give names without scheme, port and path`;
    expect(() => resolveHttpOptions({ type: "http", port: 0, allowedHosts: ["build.example", name] })).toThrow(
      expect.objectContaining({ code: "invalid_argument", message: `allowedHosts ${problem}.` }),
    );
  },
);
