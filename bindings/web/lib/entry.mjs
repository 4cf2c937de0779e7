// The package's entry: an ES module.
import {settings, configure} from './configure.js';

settings.wasm = new URL('./webnn.wasm', import.meta.url);
settings.threadsWasm = new URL('./webnn-threads.wasm', import.meta.url);
settings.loadThreads = () => import('./webnn-threads.js');
settings.makeWorker = () => {
  try {
    return new Worker(new URL('./worker.js', import.meta.url), {type: 'module', name: 'webnn'});
  } catch (error) {
    if (error.name !== 'SecurityError') throw error;
    // It is of another origin, of which a worker can import, but not be.
    const script = new Blob([`import ${JSON.stringify(new URL('./worker.js', import.meta.url).href)};`], {type: 'text/javascript'});
    return new Worker(URL.createObjectURL(script), {type: 'module', name: 'webnn'});
  }
};

import api from '../../node/lib/index.js';

export const {ML, MLContext, MLGraph, MLGraphBuilder, MLOperand, MLTensor, install, ml} = api;
export {configure};
