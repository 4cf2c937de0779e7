import webnn from './index.js';

export const {ML, MLContext, MLGraph, MLGraphBuilder, MLOperand, MLTensor, install, ml, load, run, save} = webnn;
export default webnn;
