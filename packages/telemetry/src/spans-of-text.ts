/** What stands for everything that is masked. Its own characters are never masked again. */
export const MASK = "***";

/** A part of a text, from `start` to before `end`, in UTF-16 units. `quote` goes around its mask. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
  readonly quote?: string;
}

/** Finds what to mask in a text. Linear in the length of the text. */
export type Detector = (text: string) => Iterable<TextSpan>;

/** The text with each span masked; spans that touch or overlap become one mask. What is masked already stays as it is. */
export function maskSpans(text: string, spans: readonly TextSpan[]): string {
  const wanted = spans.filter(({ start, end }) => !isMasked(text, start, end)).sort((a, b) => a.start - b.start);
  let masked = "";
  let written = 0;
  for (let index = 0; index < wanted.length;) {
    const first = wanted[index] as TextSpan;
    let end = first.end;
    for (index++; index < wanted.length && (wanted[index] as TextSpan).start <= end; index++) {
      end = Math.max(end, (wanted[index] as TextSpan).end);
    }
    const quote = end === first.end ? (first.quote ?? "") : "";
    masked += `${text.slice(written, first.start)}${quote}${MASK}${quote}`;
    written = end;
  }
  return masked + text.slice(written);
}

/** Whether nothing but asterisks is there. */
function isMasked(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index++) if (text[index] !== "*") return false;
  return true;
}
