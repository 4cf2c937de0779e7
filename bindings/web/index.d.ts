/// <reference path="./webnn.d.ts" />
// webnn.d.ts, which is generated from the operation table, declares the interfaces as globals.

/** The object that browsers with WebNN provide as `navigator.ml`. */
export declare const ml: ML;

export import ML = globalThis.ML;
export import MLContext = globalThis.MLContext;
export import MLGraph = globalThis.MLGraph;
export import MLGraphBuilder = globalThis.MLGraphBuilder;
export import MLOperand = globalThis.MLOperand;
export import MLTensor = globalThis.MLTensor;

/**
 * Adds `ml` to `navigator` and the constructors to `globalThis`. If the browser has its own, keeps them, unless `replace` is set.
 * @returns whether `navigator.ml` is this package's
 */
export declare function install(options?: {replace?: boolean}): boolean;

/** Settings of the package. They must be set before the first context is created. */
export interface Configuration {
  /** Whether graphs are compiled and run in a worker (the default) or on the calling thread. */
  worker?: boolean;
  /** Whether isolated pages (`crossOriginIsolated`) use several threads. Default: true, except in Firefox, where starting threads may hang. */
  threads?: boolean;
  /** Whether to use relaxed SIMD if the browser has it (the default). It may change the last bits of results. */
  relaxedSimd?: boolean;
  /** The directory of webnn.wasm, worker.js and so on, for bundlers that do not copy them. Default: the script's directory. */
  base?: string | URL;
  /** The address of webnn.wasm. Its variants must be beside it. */
  wasm?: string | URL;
  /** The compiled webnn.wasm. */
  module?: WebAssembly.Module;
  /** The compiled webnn-reader.wasm, which then reads all files. */
  readerModule?: WebAssembly.Module;
}
export declare function configure(configuration: Configuration): void;

/** A file: its address or its contents. */
export type Source = string | URL | Blob | Response | ArrayBuffer | SharedArrayBuffer | ArrayBufferView;

export interface LoadOptions {
  /** The sizes of the file's open dimensions, by name. Each must be given, and no other. */
  dimensions?: Record<string, number>;
  /** The weights of a .webnn or JSON graph (safetensors or .weights), or the files of an ONNX model's external data by location. */
  weights?: Source | Record<string, Source>;
  /** The manifest of a .weights file. */
  manifest?: Source;
  /** ONNX: the values of inputs that become constants, by name. Needed if shapes depend on the values. */
  values?: Record<string, ArrayBuffer | SharedArrayBuffer | ArrayBufferView>;
  /** Aborts the load. */
  signal?: AbortSignal;
}

export interface LoadedGraph {
  graph: MLGraph;
  /** The inputs by name, in the order of the file. */
  inputs: Record<string, {dataType: MLOperandDataType; shape: number[]}>;
  outputs: Record<string, {dataType: MLOperandDataType; shape: number[]}>;
}

/**
 * Reads a graph and compiles it for `context`. The content decides the format: ONNX, .webnn text, webnn-graph-json or GraphInfo JSON.
 * Rejects with NotFoundError for a missing file or weight, DataError (which says where) for a malformed one, TypeError for a graph
 * that the specification forbids or an open dimension without a size, NotSupportedError for a model that WebNN cannot express.
 */
export declare function load(context: MLContext, source: Source, options?: LoadOptions): Promise<LoadedGraph>;
