export type PlainFormOf = (value: object) => { readonly plain: unknown } | undefined;

/** What stands for objects of the prelude and of the library in results, output and tool input. */
export interface PlainForms {
  readonly formOf: PlainFormOf;
  /** Sets who is asked about the prelude's own objects, the catalog's handles. */
  setHandles(formOf: PlainFormOf): void;
  /** From now on this is asked too, about objects of the library. */
  add(formOf: PlainFormOf): void;
  isOfLibrary(value: object): boolean;
}

export function createPlainForms(): PlainForms {
  let ofHandle: PlainFormOf = () => undefined;
  let ofLibrary: PlainFormOf | undefined;
  return {
    formOf: (value) => ofHandle(value) ?? ofLibrary?.(value),
    setHandles(formOf) {
      ofHandle = formOf;
    },
    add(formOf) {
      const earlier = ofLibrary;
      ofLibrary = earlier === undefined ? formOf : (value) => earlier(value) ?? formOf(value);
    },
    isOfLibrary: (value) => ofLibrary?.(value) !== undefined,
  };
}
