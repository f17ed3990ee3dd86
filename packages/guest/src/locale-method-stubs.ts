import type { Library } from "./guest-library.js";
import type { LocaleMethods } from "./library/intl/locale-methods.js";
import { defineMethod, getPrototypeOf, ownKeys } from "./library-primordials.js";

type Stubs = Record<string, (this: unknown, ...inputs: never[]) => unknown>;

/** Puts methods that heed `locales` in the place of the engine's, which ignore it without a word. */
export function installLocaleMethods(library: Library): void {
  const methods = (): LocaleMethods => library("intl").methods;

  replaceMethods(Number.prototype, {
    toLocaleString(locales?: unknown, options?: unknown) {
      return methods().numberText(this, locales, options);
    },
  });
  replaceMethods(BigInt.prototype, {
    toLocaleString(locales?: unknown, options?: unknown) {
      return methods().bigintText(this, locales, options);
    },
  });
  replaceMethods(Date.prototype, {
    toLocaleString(locales?: unknown, options?: unknown) {
      return methods().dateText(this, "all", locales, options);
    },
    toLocaleDateString(locales?: unknown, options?: unknown) {
      return methods().dateText(this, "date", locales, options);
    },
    toLocaleTimeString(locales?: unknown, options?: unknown) {
      return methods().dateText(this, "time", locales, options);
    },
  });
  replaceMethods(String.prototype, {
    localeCompare(other?: unknown, locales?: unknown, options?: unknown) {
      return methods().compare(this, other, locales, options);
    },
    toLocaleUpperCase(locales?: unknown) {
      return methods().letterCase(this, true, locales);
    },
    toLocaleLowerCase(locales?: unknown) {
      return methods().letterCase(this, false, locales);
    },
  });
  const list: Stubs = {
    toLocaleString(locales?: unknown, options?: unknown) {
      return methods().listText(this, locales, options);
    },
  };
  replaceMethods(Array.prototype, list);
  replaceMethods(getPrototypeOf(Uint8Array.prototype) as object, list);
}

function replaceMethods(prototype: object, stubs: Stubs): void {
  const names = ownKeys(stubs) as string[];
  for (let index = 0; index < names.length; index++) {
    const name = names[index] as string;
    defineMethod(prototype, name, stubs[name]);
  }
}
