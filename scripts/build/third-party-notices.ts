import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "esbuild";

/** Writes name, version and licence text of every package outside the workspace that a bundle holds code of. */
export function thirdPartyNotices(outputFolder: string): Plugin {
  return {
    name: "third-party-notices",
    setup(build) {
      build.initialOptions.metafile = true;
      build.onEnd(({ metafile }) => {
        const folders = new Set(Object.keys(metafile?.inputs ?? {}).flatMap((input) => packageFolderOf(input) ?? []));
        const notices = [...folders].map(noticeOf).toSorted();
        mkdirSync(outputFolder, { recursive: true });
        writeFileSync(join(outputFolder, NOTICES_FILE), notices.join(`\n${"-".repeat(80)}\n\n`));
      });
    },
  };
}

export const NOTICES_FILE = "THIRD-PARTY-NOTICES.txt";

/** The installed package a file belongs to; undefined for the workspace's own. */
export function packageFolderOf(file: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
}

/** @throws {Error} for a package without a licence text. */
export function noticeOf(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, string>;
  const licence = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  if (licence === undefined) throw new Error(`${name ?? folder} has no licence text, so it cannot be bundled`);
  return `${name ?? ""} ${version ?? ""}\n\n${readFileSync(join(folder, licence), "utf8").trim()}\n`;
}
