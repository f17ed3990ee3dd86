import { defineConfig } from "vitest/config";

const conditions = ["@codemode/source"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts", "scripts/**/*.test.ts"],
    reporters: ["default", "./scripts/closing-line-reporter.mjs"],
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
