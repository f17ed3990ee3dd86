/** A fenced block of a Markdown text. */
export interface CodeBlock {
  readonly language: string;
  readonly text: string;
  /** 1-based line of the block's first line of code. */
  readonly line: number;
}

/** A heading and what stands below it, up to the next heading. */
export interface Section {
  readonly heading: string;
  readonly body: string;
  /** 1-based line of the heading. */
  readonly line: number;
}

/** Fenced blocks in order. Fences inside a block of other text do not count. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const lines = markdown.split("\n");
  const blocks: CodeBlock[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const fence = /^(`{3,})(\S*)/.exec(lines[index] ?? "");
    if (fence === null) continue;
    const start = index + 1;
    const end = lines.findIndex((line, at) => at >= start && line.startsWith(fence[1] ?? "```"));
    const stop = end < 0 ? lines.length : end;
    blocks.push({ language: fence[2] ?? "", text: lines.slice(start, stop).join("\n"), line: start + 1 });
    index = stop;
  }
  return blocks;
}

/** Sections in order, of every heading level. Lines of fenced blocks are never headings. */
export function sections(markdown: string): Section[] {
  const lines = markdown.split("\n");
  const inCode = new Set(codeBlocks(markdown).flatMap(({ text, line }) => text.split("\n").map((_, at) => line + at)));
  const starts = lines.flatMap((line, at) => (/^#{1,6} /.test(line) && !inCode.has(at + 1) ? [at] : []));
  return starts.map((start, at) => ({
    heading: lines[start] ?? "",
    body: lines
      .slice(start + 1, starts[at + 1] ?? lines.length)
      .join("\n")
      .trim(),
    line: start + 1,
  }));
}
