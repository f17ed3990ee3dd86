import { createMissingNames, missingText } from "./missing-names.js";
import {
  ErrorConstructor,
  ORDINARY,
  TypeErrorConstructor,
  VISIBLE,
  createObject,
  define,
  freeze,
  sliceText,
  stringifyJson,
  textStartsWith,
} from "./primordials.js";
import type { ApiFileRow, SurfaceReader } from "./surface-reader.js";

const MEMBERS = "It has list(prefix) and read(path).";

/** The global `API`: virtual declaration files, read without leaving the guest. */
export function createApi(surface: Pick<SurfaceReader, "files" | "file">): object {
  const missing = createMissingNames("API", (name) =>
    missingText({ path: "API", members: ["list", "read"], otherwise: MEMBERS }, name),
  );
  const api = createObject(missing) as object;
  define(api, "list", async (prefix?: unknown) => {
    const path = normalPath(prefix ?? "", "API.list");
    return listFiles(surface.files(), path);
  });
  define(api, "read", async (path?: unknown) => {
    const content = surface.file(normalPath(path, "API.read"));
    if (content === null) {
      throw new ErrorConstructor(`API.read: there is no file ${stringifyJson(path)}; API.list() names all files.`);
    }
    return content;
  });
  return freeze(api);
}

function listFiles(files: readonly ApiFileRow[], prefix: string): readonly object[] {
  const found: object[] = [];
  for (let index = 0; index < files.length; index++) {
    const file = files[index] as ApiFileRow;
    if (prefix !== "" && file.path !== prefix && !textStartsWith(file.path, `${prefix}/`)) continue;
    const row = createObject(null) as object;
    define(row, "path", file.path, VISIBLE);
    define(row, "description", file.description, VISIBLE);
    define(row, "bytes", file.bytes, VISIBLE);
    define(found, found.length, freeze(row), ORDINARY);
  }
  if (prefix !== "" && found.length === 0) {
    throw new ErrorConstructor(
      `API.list: there is nothing under ${stringifyJson(prefix)}; API.list() names all files.`,
    );
  }
  return freeze(found);
}

/** The path without one trailing slash. Refuses empty, `.` and `..` segments. */
function normalPath(path: unknown, caller: string): string {
  if (typeof path !== "string") throw new TypeErrorConstructor(`${caller} takes a path as text.`);
  const text = path.length > 0 && path[path.length - 1] === "/" ? sliceText(path, 0, path.length - 1) : path;
  let start = 0;
  for (let index = 0; index <= text.length && text !== ""; index++) {
    if (index < text.length && text[index] !== "/") continue;
    const segment = sliceText(text, start, index);
    if (segment === "" || segment === "." || segment === "..") {
      throw new ErrorConstructor(`${caller}: ${stringifyJson(path)} is not a path; segments must be plain names.`);
    }
    start = index + 1;
  }
  return text;
}
