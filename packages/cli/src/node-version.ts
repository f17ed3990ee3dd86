const MIN_MAJOR = 20;
const MIN_MINOR = 19;

/** What to tell the user of a Node that is too old; undefined when it is new enough. Written for any Node. */
export function nodeVersionProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > MIN_MAJOR || (major === MIN_MAJOR && minor >= MIN_MINOR)) return undefined;
  return `codemode needs Node.js ${MIN_MAJOR}.${MIN_MINOR} or newer, and this is ${version}; install a newer one from https://nodejs.org.`;
}
