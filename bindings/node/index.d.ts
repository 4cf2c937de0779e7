/// <reference path="./webnn.d.ts" />
// The interfaces themselves are global, as in a browser: webnn.d.ts, printed from the operation table.

/** What `navigator.ml` is in a browser. */
export declare const ml: ML;

/** Puts `ml` on `navigator` and the constructors on `globalThis`. */
export declare function install(): void;

declare const ml_: typeof ML;
type ml_ = ML;
declare const context: typeof MLContext;
type context = MLContext;
declare const graph: typeof MLGraph;
type graph = MLGraph;
declare const builder: typeof MLGraphBuilder;
type builder = MLGraphBuilder;
declare const operand: typeof MLOperand;
type operand = MLOperand;
declare const tensor: typeof MLTensor;
type tensor = MLTensor;
export {ml_ as ML, context as MLContext, graph as MLGraph, builder as MLGraphBuilder, operand as MLOperand, tensor as MLTensor};

declare const all: {
  ml: ML;
  install(): void;
  ML: typeof ML;
  MLContext: typeof MLContext;
  MLGraph: typeof MLGraph;
  MLGraphBuilder: typeof MLGraphBuilder;
  MLOperand: typeof MLOperand;
  MLTensor: typeof MLTensor;
};
export default all;
