'use strict';
// Starts the module of the page and the host: in a worker or, if configure({worker: false}) has said so, here.
const {Engine} = require('./engine.js');
const {Host} = require('./host.js');
const {settings, startWorker} = require('./configure.js');
const create = require('webnn-module');

async function compiled(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`webnn: ${url} cannot be loaded: ${response.status} ${response.statusText}`);
  // Of a server that knows no type of .wasm, streams cannot be compiled.
  if (response.headers.get('Content-Type') === 'application/wasm') return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

// What makes an instance of a compiled module.
const instantiated = (module) => Engine.create(create, {
  instantiateWasm(imports, done) {
    WebAssembly.instantiate(module, imports).then((instance) => done(instance, module));
    return {};
  },
});

// {engine, host}. `answered` is called with each answer of the host, `failed` with the reason when there is none any more.
async function connectHost({answered, failed}) {
  const module = settings.module ?? await compiled(settings.wasm);
  const engine = await instantiated(module);
  if (!settings.worker) {
    const host = new Host(await instantiated(module), (answer) => queueMicrotask(() => answered(answer)));
    return {engine, host: {post: (entries) => host.receive(entries)}};
  }
  const worker = startWorker(settings.workerScript, 'webnn');
  worker.addEventListener('message', ({data}) => ('failed' in data ? failed(data.failed) : answered(data)));
  worker.addEventListener('error', (event) => failed(event.message ?? 'its script could not be loaded.'));
  worker.postMessage({module});
  return {engine, host: {post: (entries, buffers) => worker.postMessage(entries, buffers)}};
}

module.exports = {compiled, connectHost};
