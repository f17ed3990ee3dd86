/** A change of a text at an offset (UTF-16). An overwrite keeps the length, so that it moves no position. */
export type Edit =
  | { readonly type: "insert"; readonly offset: number; readonly text: string }
  | { readonly type: "overwrite"; readonly offset: number; readonly text: string };

/** Text that was inserted, by its offset in the edited text. */
export interface Insertion {
  readonly offset: number;
  readonly length: number;
}

/** Applies edits that do not overlap; at one offset, inserts come first. */
export function applyEdits(text: string, edits: readonly Edit[]): { code: string; insertions: Insertion[] } {
  const insertions: Insertion[] = [];
  let code = "";
  let taken = 0;
  for (const edit of edits.toSorted(byPlace)) {
    code += text.slice(taken, edit.offset);
    if (edit.type === "insert") insertions.push({ offset: code.length, length: edit.text.length });
    code += edit.text;
    taken = edit.type === "insert" ? edit.offset : edit.offset + edit.text.length;
  }
  return { code: code + text.slice(taken), insertions };
}

/** An overwrite of a range by spaces that keeps its line breaks; all but CR become LF. */
export function blank(text: string, start: number, end: number): Edit {
  const spaces = text.slice(start, end).replace(/[^\r\n\u2028\u2029]/g, " ");
  return { type: "overwrite", offset: start, text: spaces.replace(/[\u2028\u2029]/g, "\n") };
}

function byPlace(a: Edit, b: Edit): number {
  return a.offset - b.offset || Number(a.type === "overwrite") - Number(b.type === "overwrite");
}
