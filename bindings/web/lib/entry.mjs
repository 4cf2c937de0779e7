import './platform.js';  // sets platform.native, which the modules in js/ need when loaded
import {install as replace, ml} from '../../js/api.js';
import {settings, configure} from './configure.js';

// Bundlers recognize files only in this form: new URL('...', import.meta.url).
settings.files = {
  'webnn.wasm': new URL('./webnn.wasm', import.meta.url),
  'webnn-relaxed.wasm': new URL('./webnn-relaxed.wasm', import.meta.url),
  'webnn-threads.wasm': new URL('./webnn-threads.wasm', import.meta.url),
  'webnn-threads-relaxed.wasm': new URL('./webnn-threads-relaxed.wasm', import.meta.url),
  'worker.js': new URL('./worker.js', import.meta.url),
  'webnn-onnx.wasm': new URL('./webnn-onnx.wasm', import.meta.url),
  'webnn-reader.wasm': new URL('./webnn-reader.wasm', import.meta.url),
  'reader.js': new URL('./reader.js', import.meta.url),
};
settings.loadThreads = () => import('./webnn-threads.js');
settings.importReader = () => import('./reader.js');  // used if the reader runs without a worker

export {ML, MLContext, MLGraph, MLGraphBuilder, MLOperand, MLTensor, ml} from '../../js/api.js';
export {load} from './load.js';
export {configure};

// Installs the globals if the browser has no WebNN of its own or `replace` is set. Returns whether navigator.ml is this
// package's.
export function install(options = {}) {
  if (options.replace || globalThis.navigator?.ml === undefined) replace();
  return navigator.ml === ml;
}
