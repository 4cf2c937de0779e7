/// <reference path="./webnn.d.ts" />
// The interfaces themselves are global, as in a browser that has them: webnn.d.ts, printed from the operation table.

/** What `navigator.ml` is in a browser that has it. */
export declare const ml: ML;

/** Puts `ml` on `navigator` and the constructors on `globalThis`, in the place of the browser's own. */
export declare function install(): void;

/** Settings of the package, before the first context. */
export interface Configuration {
  /** Whether graphs are compiled and run in a worker (the default), or on the thread that calls. */
  worker?: boolean;
  /** Whether pages that are isolated from other origins (`crossOriginIsolated`) use several threads (the default). */
  threads?: boolean;
  /** Where webnn.wasm is, and webnn-threads.wasm beside it; default: beside the package's script. */
  wasm?: string | URL;
  /** webnn.wasm, compiled. */
  module?: WebAssembly.Module;
}
export declare function configure(configuration: Configuration): void;
