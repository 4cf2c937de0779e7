'use strict';
// Starts the module of the page and the host: in a worker or, if configure({worker: false}) has said so, here.
const {Engine} = require('./engine.js');
const {Host} = require('./host.js');
const {settings} = require('./configure.js');
const single = require('webnn-module');

async function compiled(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`webnn: ${url} cannot be loaded: ${response.status} ${response.statusText}`);
  // Of a server that knows no type of .wasm, streams cannot be compiled.
  if (response.headers.get('Content-Type') === 'application/wasm') return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

// Whether the page may share memory with workers, and as much as the module may need.
function sharesMemory() {
  if (!globalThis.crossOriginIsolated) return false;
  try {
    return new WebAssembly.Memory({initial: 1, maximum: 65536, shared: true}).buffer instanceof SharedArrayBuffer;
  } catch {
    return false;
  }
}

// {engine, host}. `answered` is called with each answer of the host, `failed` with the reason when there is none any more.
async function connectHost({answered, failed}) {
  const hasThreads = settings.worker && settings.threads && !settings.module && sharesMemory();
  const [module, {default: create}] = await Promise.all([
    settings.module ?? compiled(hasThreads ? settings.threadsWasm : settings.wasm), hasThreads ? settings.loadThreads() : {default: single}]);
  const engine = await Engine.create(create, module);
  if (!settings.worker) {
    const host = new Host(await Engine.create(create, module), (answer) => queueMicrotask(() => answered(answer)));
    return {engine, host: {post: (entries) => host.receive(entries)}};
  }
  const worker = settings.makeWorker();
  worker.addEventListener('message', ({data}) => ('failed' in data ? failed(data.failed) : answered(data)));
  worker.addEventListener('error', (event) => failed(event.message ?? 'its script could not be loaded.'));
  worker.postMessage({module, hasThreads});
  return {engine, host: {post: (entries, buffers) => worker.postMessage(entries, buffers)}};
}

module.exports = {connectHost};
