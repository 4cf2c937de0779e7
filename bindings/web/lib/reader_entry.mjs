// The script of the reader: a worker's, or a module of a program that has none.
import reader from './reader.js';

export const {GraphReader} = reader;
if (typeof WorkerGlobalScope === 'function' && globalThis instanceof WorkerGlobalScope && globalThis.name === 'webnn-reader') reader.serve();
