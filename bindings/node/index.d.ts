/// <reference path="./webnn.d.ts" />
// webnn.d.ts, which is generated from the operation table, declares the interfaces as globals, as in a browser. The tests run each
// example here and compare its output with the comments.

/**
 * The object that browsers provide as `navigator.ml`.
 * @example
 * import {ml} from 'webnn';
 * const context = await ml.createContext({powerPreference: 'low-power'});
 * console.log(context.accelerated);  // false
 */
export declare const ml: ML;

/**
 * Adds `ml` to `navigator` and the constructors to `globalThis`, for programs that are written for browsers.
 * @example
 * import {install} from 'webnn';
 * install();
 * console.log(navigator.ml instanceof ML);  // true
 */
export declare function install(): void;

export import ML = globalThis.ML;
export import MLContext = globalThis.MLContext;
export import MLGraph = globalThis.MLGraph;
export import MLGraphBuilder = globalThis.MLGraphBuilder;
export import MLOperand = globalThis.MLOperand;
export import MLTensor = globalThis.MLTensor;

/** A Buffer, a typed array or an ArrayBuffer. Its bytes must not change until the promise of the call is settled. */
export type Bytes = ArrayBufferLike | ArrayBufferView;

/** A URL. Declared here, so that neither the types of Node.js nor those of the DOM are needed. */
export interface Address {
  readonly href: string;
  readonly protocol: string;
}

/** A file: its path, its URL or its contents. URLs with other protocols than file: are fetched. */
export type Source = string | Address | Bytes | {arrayBuffer(): Promise<ArrayBuffer>};

/** The progress of a load. `done` of `total` counts operations read ("load"), compiler passes ("optimize") or operations prepared ("prepare"). */
export interface Progress {
  phase: string;
  done: number;
  total: number;
}

export interface FileOptions extends MLCallOptions {
  /** Called when a phase begins and ends, and between its items, at most 50 times per second. An exception rejects the promise. */
  onProgress?: (progress: Progress) => void;
  /** The sizes of the file's open dimensions, by name. */
  dimensions?: Record<string, number>;
  /** The path of the weights of a .webnn or JSON graph, if they are not beside it. */
  weights?: string | Address;
  /** The path of the manifest of a .weights file, if it is not beside it. */
  manifest?: string | Address;
  /** Whether files are memory-mapped. A mapped file must not be written in place. Default: true. */
  mapFiles?: boolean;
  /** ONNX: the values of inputs that become constants, by name. Needed if shapes depend on the values. */
  values?: Record<string, Bytes>;
}

export interface LoadOptions extends FileOptions {
  /** The context for which the graph is compiled. Default: a context that all loads without this option share. */
  context?: MLContext;
}

export interface LoadedGraph {
  graph: MLGraph;
  inputs: MLGraph['inputs'];
  outputs: MLGraph['outputs'];
}

/**
 * Reads a graph and compiles it. The content decides the format: ONNX, .webnn, .webnnb, webnn-graph-json or GraphInfo JSON. Rejects
 * with NotFoundError for a missing file or weight, DataError (which says where) for a malformed one, TypeError for a graph that the
 * specification forbids or an open dimension without a size, NotSupportedError for a model that WebNN cannot express.
 * @example
 * import {load} from 'webnn';
 * const graph = await load('model.onnx', {dimensions: {batch: 1}});
 * console.log(graph.inputs.x.shape);  // [ 1, 3 ]
 */
export declare function load(source: Source, options?: LoadOptions): Promise<MLGraph>;
/**
 * Loads with the signature of the package webnn-web.
 * @example
 * import {load, ml} from 'webnn';
 * const {inputs} = await load(await ml.createContext(), 'model.onnx', {dimensions: {batch: 2}});
 * console.log(inputs.x.shape);  // [ 2, 3 ]
 */
export declare function load(context: MLContext, source: Source, options?: FileOptions): Promise<LoadedGraph>;

export interface SaveOptions {
  /** Default: from the suffix of the path: .webnn, .webnnb ("binary"), .json, .onnx, .mlpackage ("coreml"). */
  format?: 'webnn' | 'binary' | 'json' | 'onnx' | 'coreml';
  /**
   * The format of the weights. Default: "inline" for "binary", else "safetensors". In an ONNX model, constants of at least
   * 1024 bytes go into NAME.onnx.data, unless this is "inline". An .mlpackage always contains its weights.
   */
  weights?: 'safetensors' | 'manifest' | 'inline';
}

/**
 * Writes a graph, and its weights beside it or into it. A failure leaves no partial files. Open dimensions of a session keep their
 * names. Rejects with NotSupportedError if ONNX or Core ML cannot compute the sizes, and with TypeError for a loaded ONNX model
 * with open dimensions.
 * @example
 * import {load, save} from 'webnn';
 * await save(await load('model.onnx', {dimensions: {batch: 1}}), 'model.webnn');
 * console.log((await load('model.webnn')).outputs.y.dataType);  // float32
 */
export declare function save(graph: MLGraph | InferenceSession, path: string | Address, options?: SaveOptions): Promise<void>;

/** Numbers, in nested arrays or a flat one. */
export type Numbers = number | bigint | boolean | readonly Numbers[];

/** The value of an input: bytes or numbers of its type, a tensor of the context, or a Tensor with the same dims. */
export type Feed = Bytes | Numbers | MLTensor | {readonly data: unknown; readonly dims: readonly number[]};

export interface RunOptions extends MLCallOptions {
  /** The names of the outputs to return. Default: all. */
  outputs?: Iterable<string>;
}

/** The outputs by name. float16 is a Float16Array if the runtime has that class, else a Uint16Array of the bits. */
export type Results = Record<string, Float32Array | Uint16Array | Int32Array | Uint32Array | BigInt64Array | BigUint64Array | Int8Array |
                                     Uint8Array>;

/**
 * Runs a graph on data or tensors, and returns data. Calls may overlap; one context executes them in order.
 * @example
 * import {load, run} from 'webnn';
 * const graph = await load('model.onnx', {dimensions: {batch: 1}});
 * console.log(await run(graph, {x: [-1, 0, 2]}));  // { y: Float32Array(3) [ 0, 0, 2 ] }
 */
export declare function run(graph: MLGraph, feeds: Record<string, Feed>, options?: RunOptions): Promise<Results>;

declare global {
  interface MLContextOptions {
    /** Beyond the specification: settings of the backend by name, such as {disable: 'all'}; see docs/explanation/cpu.md. */
    backendOptions?: Record<string, string>;
  }
  interface MLContext {
    /**
     * Beyond the specification: the name of the backend.
     * @example
     * import {ml} from 'webnn';
     * console.log((await ml.createContext({backend: 'reference'})).backend);  // reference
     */
    readonly backend: string;
  }
  interface MLGraph {
    /**
     * Beyond the specification: the inputs by name.
     * @example
     * import {load} from 'webnn';
     * const {inputs} = await load('model.onnx', {dimensions: {batch: 1}});
     * console.log(inputs.x.dataType);  // float32
     */
    readonly inputs: Readonly<Record<string, Readonly<{dataType: MLOperandDataType; shape: readonly number[]}>>>;
    /**
     * Beyond the specification: the outputs by name.
     * @example
     * import {load} from 'webnn';
     * const {outputs} = await load('model.onnx', {dimensions: {batch: 4}});
     * console.log(outputs.y.shape);  // [ 4, 3 ]
     */
    readonly outputs: Readonly<Record<string, Readonly<{dataType: MLOperandDataType; shape: readonly number[]}>>>;
    /**
     * Beyond the specification: runs the graph on `feeds`, like run(graph, feeds, options).
     * @example
     * import {load} from 'webnn';
     * const graph = await load('model.onnx', {dimensions: {batch: 1}});
     * const {y} = await graph.run({x: new Float32Array([1, -2, 3])}, {outputs: ['y']});
     * console.log(y);  // Float32Array(3) [ 1, 0, 3 ]
     */
    run(feeds: Record<string, Feed>, options?: RunOptions): Promise<Results>;
  }
  interface MLGraphBuilder {
    /**
     * Beyond the specification: makes a session of a graph with open dimensions. A builder builds one graph or session. Sizes may
     * be 0: results without elements are returned as such.
     * @example
     * import {MLGraphBuilder, Tensor, ml} from 'webnn';
     * const builder = new MLGraphBuilder(await ml.createContext());
     * const x = builder.input('x', {dataType: 'float32', shape: [{name: 'batch', maxSize: 64}, 2]});
     * const y = builder.reshape(builder.relu(x), ['batch * 2']);
     * const session = await builder.buildSession({y});
     * const results = await session.run({x: new Tensor('float32', [1, -2, 3, -4], [2, 2])});
     * console.log(y.shape, results.y.data);  // [ 'batch * 2' ] Float32Array(4) [ 1, 0, 3, 0 ]
     */
    buildSession(outputs: MLNamedOperands, options?: BuildSessionOptions): Promise<InferenceSession>;
  }
}

export interface BuildSessionOptions {
  /** Maximum number of cached graphs, one for each set of sizes of the open dimensions. Default: 4. */
  graphs?: number;
  /** Fixes sizes of open dimensions, by name. */
  dimensions?: Record<string, number>;
}

/**
 * Data with a type and dims, as in onnxruntime's packages for JavaScript.
 * @example
 * import {Tensor} from 'webnn';
 * const tensor = new Tensor('float32', [1, 2, 3, 4], [2, 2]);
 * console.log(tensor.size, tensor.reshape([4]).dims);  // 4 [ 4 ]
 */
export declare class Tensor<Type extends Tensor.Type = Tensor.Type> {
  constructor(type: Type, data: Tensor.DataTypeMap[Type] | readonly (number | bigint | boolean | string)[], dims?: readonly number[]);
  constructor(data: Tensor.DataTypeMap[Type] | readonly (number | bigint | boolean | string)[], dims?: readonly number[]);
  readonly type: Type;
  readonly dims: readonly number[];
  /** The number of elements. */
  readonly size: number;
  /** The elements, in row-major order. */
  readonly data: Tensor.DataTypeMap[Type];
  readonly location: 'cpu' | 'none';
  getData(releaseData?: boolean): Promise<Tensor.DataTypeMap[Type]>;
  dispose(): void;
  /** Returns a tensor with the same data and other dims. */
  reshape(dims: readonly number[]): Tensor<Type>;
}
export declare namespace Tensor {
  interface DataTypeMap {
    float32: Float32Array; float16: Uint16Array; float64: Float64Array;
    int8: Int8Array; uint8: Uint8Array; int16: Int16Array; uint16: Uint16Array; int32: Int32Array; uint32: Uint32Array;
    int64: BigInt64Array; uint64: BigUint64Array; int4: Int8Array; uint4: Uint8Array; bool: Uint8Array; string: string[];
  }
  type Type = keyof DataTypeMap;
}

/**
 * A model whose open dimensions get their sizes from the feeds: a graph is compiled for each set of sizes. ONNX models that no single
 * graph can hold (branches, loops, shapes that depend on values) run as several graphs. The API is that of
 * onnxruntime-node; docs/reference/node.md lists the differences.
 * @example
 * import {InferenceSession, Tensor} from 'webnn';
 * const session = await InferenceSession.create('model.onnx', {graphs: 2});
 * console.log(session.inputMetadata[0].shape);  // [ 'batch', 3 ]
 * const {y} = await session.run({x: new Tensor('float32', [1, -2, 3, -4, 5, -6], [2, 3])});
 * console.log(y.dims, y.data);  // [ 2, 3 ] Float32Array(6) [ 1, 0, 3, 0, 5, 0 ]
 * await session.release();
 */
export declare class InferenceSession {
  private constructor();
  static create(model: Source, options?: InferenceSession.SessionOptions): Promise<InferenceSession>;
  static create(model: ArrayBufferLike, byteOffset: number, byteLength?: number, options?: InferenceSession.SessionOptions): Promise<InferenceSession>;
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly inputMetadata: readonly InferenceSession.ValueMetadata[];
  readonly outputMetadata: readonly InferenceSession.ValueMetadata[];
  /** The data of the feeds must not change until the promise is settled. */
  run(feeds: InferenceSession.FeedsType, options?: InferenceSession.RunOptions): Promise<InferenceSession.ReturnType>;
  run(feeds: InferenceSession.FeedsType, fetches: InferenceSession.FetchesType,
      options?: InferenceSession.RunOptions): Promise<InferenceSession.ReturnType>;
  /** Releases the memory. Runs that have not ended are rejected if the session made its context. */
  release(): Promise<void>;
  /** Throws NotSupportedError. To profile, use `webnn bench --trace`. */
  startProfiling(): void;
  endProfiling(): void;
}
export declare namespace InferenceSession {
  /** Other options of onnxruntime have no effect or are refused with an error. */
  interface SessionOptions extends LoadOptions {
    /** In order of preference: "cpu", "webnn" (with deviceType and powerPreference), or a backend by name. Default: "cpu". */
    executionProviders?: readonly (string | ExecutionProvider)[];
    intraOpNumThreads?: number;
    /** "disabled" skips the optimizations of the CPU engine. All other values have the same effect. */
    graphOptimizationLevel?: 'disabled' | 'basic' | 'extended' | 'layout' | 'all';
    /** Another name of `dimensions`: sizes of open dimensions, by name. */
    freeDimensionOverrides?: Readonly<Record<string, number>>;
    /** Maximum number of cached graphs, one for each set of sizes of the open dimensions. Default: 4. */
    graphs?: number;
    /**
     * Whether run() computes on the JavaScript thread, when the event loop is free, without copying the feeds. Faster for decoders
     * with large caches, but blocks the event loop. Default: false.
     */
    synchronous?: boolean;
    /** The seed of operators with random numbers, an integer up to 2 ** 53 - 1. Default: a different seed for each session. */
    seed?: number;
    interOpNumThreads?: number;
    executionMode?: 'sequential' | 'parallel';
    enableCpuMemArena?: boolean;
    enableMemPattern?: boolean;
    logId?: string;
    logSeverityLevel?: 0 | 1 | 2 | 3 | 4;
    logVerbosityLevel?: number;
  }
  interface ExecutionProvider {
    readonly name: string;
    readonly deviceType?: 'cpu' | 'gpu' | 'npu';
    readonly powerPreference?: MLPowerPreference;
    readonly numThreads?: number;
    readonly context?: MLContext;
  }
  interface RunOptions extends MLCallOptions {
    tag?: string;
    logSeverityLevel?: 0 | 1 | 2 | 3 | 4;
    logVerbosityLevel?: number;
  }
  interface TensorMetadata {
    readonly name: string;
    readonly isTensor: true;
    /** Undefined for an output whose type the file does not declare. */
    readonly type: Tensor.Type | undefined;
    /** Sizes, and names of open dimensions; '' for an unknown size. */
    readonly shape: readonly (number | string)[] | undefined;
  }
  /** An input that is a sequence, which cannot be fed, or an output that is a sequence or a map, which cannot be fetched. */
  interface SequenceMetadata {
    readonly name: string;
    readonly isTensor: false;
  }
  type ValueMetadata = TensorMetadata | SequenceMetadata;
  /** Inputs without open dimensions also accept data or numbers. */
  type FeedsType = Readonly<Record<string, Tensor | Feed>>;
  type FetchesType = readonly string[] | Readonly<Record<string, Tensor | null>>;
  type ReturnType = Record<string, Tensor>;
  type OnnxValueMapType = Record<string, Tensor>;
}

/**
 * The settings object of onnxruntime. Values are stored but have no effect, because this package logs nothing.
 * @example
 * import {env} from 'webnn';
 * env.logLevel = 'error';
 * console.log(env.logLevel);  // error
 */
export declare const env: {
  debug: boolean;
  trace: boolean;
  logLevel: 'verbose' | 'info' | 'warning' | 'error' | 'fatal';
  readonly wasm: Record<string, unknown>;
  readonly webgl: Record<string, unknown>;
  readonly webgpu: Record<string, unknown>;
  readonly versions: {readonly common: string; readonly node: string};
};

import type * as all from './index.js';
declare const exports_: Omit<typeof all, 'default'>;
export default exports_;
