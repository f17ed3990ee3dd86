import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listPackages } from "./packages.js";
import { runOrThrow } from "./run-program.js";
import { repositoryRoot, type SourceTree } from "./source-tree.js";

/** A package as it would be published. */
export interface PackedPackage {
  readonly name: string;
  readonly folder: string;
  /** Absolute path of the tarball. */
  readonly tarball: string;
}

/**
 * Packs every package into a temporary folder, hands the tarballs to `use`, then removes the folder.
 *
 * Needs what `npm run build` and `npm run types` write into `dist`.
 */
export async function withPackedPackages<T>(
  tree: SourceTree,
  use: (packed: readonly PackedPackage[], temporary: string) => Promise<T>,
): Promise<T> {
  const temporary = await mkdtemp(join(tmpdir(), "codemode-pack-"));
  try {
    const pack = ["--recursive", "--filter", "./packages/*", "pack", "--pack-destination", temporary];
    await runOrThrow(process.execPath, [join(repositoryRoot, "scripts", "dev.mjs"), "pnpm", ...pack]);
    const packed = listPackages(tree).map(({ folder, manifest }) => {
      const tarball = `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version ?? ""}.tgz`;
      return { name: manifest.name, folder, tarball: join(temporary, tarball) };
    });
    return await use(packed, temporary);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
