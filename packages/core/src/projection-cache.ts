// Invariant: what it gives equals what `buildProjection` would build from the same descriptors.
import { buildProjection, type ProjectedTools, type Projection, type ProjectionOptions } from "./projection.js";

/**
 * Projections of a host's runs. Runs that see the very same descriptors share one: a front opens a run for each client,
 * and rendering the declarations of a few hundred tools takes a tenth of a second.
 */
export interface ProjectionCache {
  /** @throws {CodeModeError} `invalid_argument` for tools that cannot be told apart. */
  build(given: ProjectedTools, options: ProjectionOptions): Projection;
}

/** Everything a projection is made of, by identity; of lists also how long they were. */
interface Key {
  readonly parts: readonly unknown[];
  readonly previous: WeakRef<Projection> | undefined;
}

export function createProjectionCache(): ProjectionCache {
  // Neither keeps a projection, or a descriptor, that no run uses any more.
  const keys = new WeakMap<Projection, Key>();
  let last: WeakRef<Projection> | undefined;
  return {
    build(given, options) {
      const parts = partsOf(given, options);
      const known = last?.deref();
      const key = known === undefined ? undefined : keys.get(known);
      if (known !== undefined && key !== undefined && isSame(key, parts, given.previous)) return known;
      const projection = buildProjection(given, options);
      const { previous } = given;
      keys.set(projection, { parts, previous: previous === undefined ? undefined : new WeakRef(previous) });
      last = new WeakRef(projection);
      return projection;
    },
  };
}

function partsOf({ tools, servers }: ProjectedTools, options: ProjectionOptions): unknown[] {
  const listed = servers.flatMap((server) => [server, server.tools, (server.tools as Partial<unknown[]>)?.length]);
  return [options.hostLabel, options.catalogIncludesMcp, tools.length, ...tools, ...listed];
}

function isSame({ parts, previous }: Key, others: readonly unknown[], before: Projection | undefined): boolean {
  return (
    previous?.deref() === before &&
    parts.length === others.length &&
    parts.every((part, index) => Object.is(part, others[index]))
  );
}
