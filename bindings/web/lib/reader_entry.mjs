// Runs as the script of the reader's worker, or is imported if there is no worker.
import {GraphReader, serve} from './reader.js';

export {GraphReader};
if (typeof WorkerGlobalScope === 'function' && globalThis instanceof WorkerGlobalScope && globalThis.name === 'webnn-reader') serve();
