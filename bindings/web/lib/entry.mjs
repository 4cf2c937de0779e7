// The package's entry: an ES module.
import './platform.js';  // before all modules of js/
import {settings, configure} from './configure.js';

// Each in the form that bundlers know.
settings.wasm = new URL('./webnn.wasm', import.meta.url);
settings.relaxedWasm = new URL('./webnn-relaxed.wasm', import.meta.url);
settings.threadsWasm = new URL('./webnn-threads.wasm', import.meta.url);
settings.threadsRelaxedWasm = new URL('./webnn-threads-relaxed.wasm', import.meta.url);
settings.loadThreads = () => import('./webnn-threads.js');
settings.workerScript = new URL('./worker.js', import.meta.url);
settings.onnxWasm = new URL('./webnn-onnx.wasm', import.meta.url);
settings.readerWasm = new URL('./webnn-reader.wasm', import.meta.url);
settings.readerScript = new URL('./reader.js', import.meta.url);
settings.importReader = () => import('./reader.js');  // where there is no worker

export {ML, MLContext, MLGraph, MLGraphBuilder, MLOperand, MLTensor, ml} from '../../js/api.js';
export {load} from './load.js';
export {install} from './install.js';
export {configure};
