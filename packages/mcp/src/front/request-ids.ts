import { isObject } from "../is-object.js";

/** Requests of one client under way at one time. */
const MAX_UNDER_WAY = 256;

/** Why a body is not taken. */
export type IdProblem = "repeated" | "too-many";

/**
 * The ids of one client's requests under way. Answers find their request by its id, so a second request of the same id
 * would get the first one's answer.
 */
export interface RequestIds {
  /** Takes the ids of all requests in a body, or none and says why. Untrusted. */
  enter(body: unknown): IdProblem | undefined;
  /** No answer comes to these any more. */
  leave(ids: readonly unknown[]): void;
}

export function createRequestIds(): RequestIds {
  const underWay = new Set<unknown>();
  return {
    enter(body) {
      const ids = requestIdsOf(body);
      if (new Set(ids).size < ids.length || ids.some((id) => underWay.has(id))) return "repeated";
      if (underWay.size + ids.length > MAX_UNDER_WAY) return "too-many";
      for (const id of ids) underWay.add(id);
      return undefined;
    },
    leave: (ids) => ids.forEach((id) => underWay.delete(id)),
  };
}

/** Ids of the requests in a body: one message, or a batch of them. What is no request has none. */
export function requestIdsOf(body: unknown): readonly (string | number)[] {
  return [body].flat().flatMap((message: unknown) => {
    if (!isObject(message) || message["method"] === undefined) return [];
    const { id } = message;
    return typeof id === "string" || typeof id === "number" ? [id] : [];
  });
}
