import type { ToolDescriptor } from "@codemode/core";

const ACTIONS = ["list", "create", "update", "delete", "export", "compare", "schedule", "archive", "approve", "watch"];
const SYLLABLES = [
  "ba",
  "ke",
  "li",
  "mo",
  "nu",
  "ra",
  "se",
  "ti",
  "vo",
  "zu",
  "cra",
  "ple",
  "stri",
  "gno",
  "fli",
  "dru",
];

/** Tools of the size real ones have, on as many things as there are pages in a book. The same ones every time. */
export function madeTools(count: number): readonly ToolDescriptor[] {
  return Array.from({ length: count }, (_, number) => {
    const [action = "", thing, other] = [ACTIONS[number % ACTIONS.length], thingOf(number), thingOf(number * 7 + 3)];
    return {
      name: `${action}_${thing}_${number}`,
      description: `${action} each ${thing} of one ${other}, with its state, its owner and when it was last seen.`,
      parameters: {
        type: "object",
        properties: {
          [`${thing}_id`]: { type: "string", description: `Which ${thing} it is, by its number in the ${other}.` },
          state: { type: "string", enum: ["open", "closed", "lost"], description: "Only those in this state." },
          limit: { type: "integer", minimum: 1, maximum: 100, description: "How many at most." },
          since: { type: "string", format: "date", description: `Only what the ${other} has had since that day.` },
        },
        required: [`${thing}_id`],
        additionalProperties: false,
      },
      execute: () => ({ details: null }),
    };
  });
}

/** A question about one of the tools, in other words than its own. */
export function madeQuery(number: number): string {
  return `Please show me the ${thingOf(number)} that our ${thingOf(number * 7 + 3)} has lost since last week, 20 at most`;
}

function thingOf(number: number): string {
  const syllable = (shift: number) => SYLLABLES[(number >> shift) % SYLLABLES.length] ?? "";
  return `${syllable(0)}${syllable(4)}${syllable(8)}n`;
}
