import { defineConfig } from "vitest/config";

const conditions = ["@codemode/source"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts", "scripts/**/*.test.ts"],
    reporters: ["default", "./scripts/closing-line-reporter.mjs"],
    // One per core of the smallest machine: most tests wait for threads, processes and clocks more than they compute.
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
