import type { Samples } from "./interleave.js";
import type { Side, Unit } from "./report.js";
import { summarise, type Summary } from "./statistics.js";

/** How the samples of one side are shown. */
export interface SideRole {
  readonly role: Side["role"];
  readonly unit: Unit;
  /** Name of the side its p50 is compared with. */
  readonly against?: string;
}

/** Samples to lines of the report, with the ratios of those that can be compared. */
export function toSides(samples: readonly Samples[], roleOf: (name: string) => SideRole): Side[] {
  const summaries = new Map<string, Summary>();
  for (const each of samples) if ("values" in each) summaries.set(each.name, summarise(each.values));
  return samples.map((each) => {
    const { role, unit, against } = roleOf(each.name);
    const { name } = each;
    if ("unavailable" in each) return { name, role, status: "unavailable", reason: each.unavailable };
    const summary = summarise(each.values);
    const base = against === undefined ? undefined : summaries.get(against);
    if (against === undefined || base === undefined || base.p50 === 0)
      return { name, role, status: "measured", unit, summary };
    return { name, role, status: "measured", unit, summary, ratio: { to: against, value: summary.p50 / base.p50 } };
  });
}

/** Summary of a side by name; undefined when it was not measured. */
export function summaryOf(sides: readonly Side[], name: string): Summary | undefined {
  const side = sides.find((each) => each.name === name);
  return side?.status === "measured" ? side.summary : undefined;
}

/** p50 of one side over p50 of another; undefined when one was not measured. */
export function ratioOf(sides: readonly Side[], name: string, to: string): number | undefined {
  const [above, below] = [summaryOf(sides, name), summaryOf(sides, to)];
  return above === undefined || below === undefined ? undefined : above.p50 / below.p50;
}
