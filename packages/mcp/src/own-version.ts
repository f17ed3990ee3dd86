import { readFile } from "node:fs/promises";

/** Version of this package. */
export async function ownVersion(): Promise<string> {
  const manifest = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  return manifest.version;
}
