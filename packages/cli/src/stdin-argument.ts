/** Stands for a lone `-` while the arguments are parsed: the parser drops it, and takes the next one with it. */
const SHIELDED = "\u0000-";

/** The arguments with each lone `-` replaced by text that no real argument can hold. */
export function shieldStdinArgument(args: readonly string[]): string[] {
  return args.map((argument) => (argument === "-" ? SHIELDED : argument));
}

/** Whether a parsed argument was a lone `-`. */
export function isStdinArgument(argument: string): boolean {
  return argument === SHIELDED;
}
