import {
  SymbolToStringTag,
  createObject,
  defineFixed,
  defineMethod,
  defineProperty,
  ownKeys,
} from "../library-primordials.js";

/** Gives a class the name the bundle took from it, and its objects the same tag. */
export function nameClass(constructor: { readonly prototype: object }, name: string, tag = name): void {
  defineFixed(constructor, "name", name);
  const { prototype } = constructor;
  defineTag(prototype, tag);
}

/** What `Object.prototype.toString` calls an object. */
export function defineTag(target: object, tag: string): void {
  defineFixed(target, SymbolToStringTag, tag);
}

export type Method = (this: unknown, ...inputs: never[]) => unknown;

/** Gives an object methods as built-in ones are: not enumerable, and replaceable. */
export function addMethods(target: object, methods: Record<string, Method>): void {
  const names = ownKeys(methods) as string[];
  for (let index = 0; index < names.length; index++) {
    const name = names[index] as string;
    defineMethod(target, name, methods[name]);
  }
}

/** Gives an object a getter as built-in ones are. */
export function addGetter(target: object, name: string, get: (this: unknown) => unknown): void {
  const descriptor = createObject(null) as PropertyDescriptor;
  descriptor.get = get;
  descriptor.enumerable = false;
  descriptor.configurable = true;
  defineProperty(target, name, descriptor);
}
