// The script of the reader: a worker's, or a module of a program that has none.
import {GraphReader, serve} from './reader.js';

export {GraphReader};
if (typeof WorkerGlobalScope === 'function' && globalThis instanceof WorkerGlobalScope && globalThis.name === 'webnn-reader') serve();
