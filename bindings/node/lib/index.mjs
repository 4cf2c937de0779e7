import webnn from './index.js';

export const {ML, MLContext, MLGraph, MLGraphBuilder, MLOperand, MLTensor, install, ml} = webnn;
export default webnn;
