import { commentLine, commentLines, type OutermostProperty } from "@codemode/json-schema";

const DESCRIPTION = { maxLines: 24, maxChars: 1_200 };
const MAX_PARAMETER_CHARS = 300;
const MAX_PARAMETERS = 60;
const MAX_NAME_CHARS = 80;
const MAX_INITIAL_CHARS = 120;

export interface DocComment {
  /** Untrusted text. */
  readonly description: string;
  /** Lines of our own, after the description. */
  readonly notes: readonly string[];
  readonly parameters: readonly OutermostProperty[];
}

/** A doc comment's lines; none when there is nothing to say. Untrusted text cannot end it or add a tag. */
export function docComment(comment: DocComment): readonly string[] {
  const lines = [
    ...commentLines(comment.description, DESCRIPTION),
    ...comment.notes,
    ...comment.parameters.slice(0, MAX_PARAMETERS).flatMap(parameterLine),
  ];
  if (lines.length === 0) return [];
  return ["/**", ...lines.map((line) => ` * ${line}`), " */"];
}

function parameterLine(parameter: OutermostProperty): readonly string[] {
  const initial = parameter.defaultText === undefined ? "" : `(default: ${parameter.defaultText})`;
  const description = commentLine(parameter.description ?? "", MAX_PARAMETER_CHARS);
  const text = [description, commentLine(initial, MAX_INITIAL_CHARS)].filter((part) => part !== "").join(" ");
  return text === "" ? [] : [`@param ${commentLine(parameter.name, MAX_NAME_CHARS)} ${text}`];
}
