/// <reference path="./webnn.d.ts" />
// The interfaces themselves are global, as in a browser that has them: webnn.d.ts, printed from the operation table.

/** What `navigator.ml` is in a browser that has it. */
export declare const ml: ML;

export import ML = globalThis.ML;
export import MLContext = globalThis.MLContext;
export import MLGraph = globalThis.MLGraph;
export import MLGraphBuilder = globalThis.MLGraphBuilder;
export import MLOperand = globalThis.MLOperand;
export import MLTensor = globalThis.MLTensor;

/**
 * Puts `ml` on `navigator` and the constructors on `globalThis`, unless the browser has its own. With `replace`, in the place of
 * the browser's own.
 * @returns whether `navigator.ml` is this package's now
 */
export declare function install(options?: {replace?: boolean}): boolean;

/** Settings of the package, before the first context. */
export interface Configuration {
  /** Whether graphs are compiled and run in a worker (the default), or on the thread that calls. */
  worker?: boolean;
  /** Whether pages that are isolated from other origins (`crossOriginIsolated`) use several threads: the default, but in Firefox, which sometimes hangs when they start. */
  threads?: boolean;
  /** Whether browsers that have relaxed SIMD use it (the default). Results may differ from those without it in their last bits. */
  relaxedSimd?: boolean;
  /** The folder with the package's files (webnn.wasm, worker.js, ...); default: that of the script. For bundlers that leave them. */
  base?: string | URL;
  /** Where webnn.wasm is, and its variants beside it, if elsewhere. */
  wasm?: string | URL;
  /** webnn.wasm, compiled. */
  module?: WebAssembly.Module;
  /** webnn-reader.wasm, compiled: it then reads all files. */
  readerModule?: WebAssembly.Module;
}
export declare function configure(configuration: Configuration): void;

/** A file: its address, or what it holds. */
export type Source = string | URL | Blob | Response | ArrayBuffer | SharedArrayBuffer | ArrayBufferView;

export interface LoadOptions {
  /** The sizes of the file's open dimensions, by name. Each must be given, and no other. */
  dimensions?: Record<string, number>;
  /** The weights of a .webnn or JSON graph (safetensors or .weights), or the files of an ONNX model's external data by location. */
  weights?: Source | Record<string, Source>;
  /** The manifest of a .weights file. */
  manifest?: Source;
  /** ONNX: inputs that become constants, by name: for inputs whose values shapes depend on. */
  values?: Record<string, ArrayBuffer | SharedArrayBuffer | ArrayBufferView>;
  /** Ends the load. */
  signal?: AbortSignal;
}

export interface LoadedGraph {
  graph: MLGraph;
  /** By name, in the order of the file. */
  inputs: Record<string, {dataType: MLOperandDataType; shape: number[]}>;
  outputs: Record<string, {dataType: MLOperandDataType; shape: number[]}>;
}

/**
 * Reads a graph and compiles it for `context`. The content decides the format: ONNX, .webnn text, webnn-graph-json or GraphInfo JSON.
 * Rejects with NotFoundError for a missing file or weight, DataError (which says where) for a malformed one, TypeError for a graph
 * that the specification forbids or an open dimension without a size, NotSupportedError for what WebNN cannot express.
 */
export declare function load(context: MLContext, source: Source, options?: LoadOptions): Promise<LoadedGraph>;
