// The few WebAssembly types this package and the engine's own declarations use. Node's type package leaves them to the DOM
// library, which would bring every browser global with it.
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: string;
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  interface Global {
    value: number;
  }
  interface Table {
    readonly length: number;
  }
  interface Instance {
    readonly exports: Record<string, unknown>;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
  function validate(bytes: Uint8Array): boolean;
}
