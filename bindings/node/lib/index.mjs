import webnn from './index.js';

export const {ML, MLContext, MLGraph, MLGraphBuilder, MLOperand, MLTensor, install, InferenceSession, Tensor, env, ml, load, run, save} = webnn;
export default webnn;
