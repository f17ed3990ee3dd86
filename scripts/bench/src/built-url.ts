/** A thread or program of this package that is built beside the main program: `threads/echo`, `cold/run`. */
export function builtUrl(name: string): URL {
  return new URL(`./${name}.js`, import.meta.url);
}
