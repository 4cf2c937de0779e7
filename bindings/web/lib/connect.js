'use strict';
// Starts the page's module, which checks calls, and the host, which executes them in a worker. After configure({worker: false}),
// the host runs on this thread.
const {Engine} = require('./engine.js');
const {Host} = require('./host.js');
const {liesTogether, settings, startWorker} = require('./configure.js');
const single = require('webnn_web');

async function compiled(url, method) {
  const response = await fetch(url);
  if (!response.ok) throw new DOMException(`${method}: ${url} cannot be loaded: ${response.status} ${response.statusText}`, 'NetworkError');
  // compileStreaming() needs this content type, which some servers do not send.
  if (response.headers.get('Content-Type') === 'application/wasm') return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

// Returns whether the page may share memory with workers, up to the module's maximum of 4 GB.
function sharesMemory() {
  if (!globalThis.crossOriginIsolated) return false;
  try {
    return new WebAssembly.Memory({initial: 1, maximum: 65536, shared: true}).buffer instanceof SharedArrayBuffer;
  } catch {
    return false;
  }
}

// A module that uses the relaxed dot product of bytes. It tests whether the browser has relaxed SIMD.
const relaxedModule = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 19, 1, 17, 0,
                                      65, 0, 253, 15, 65, 0, 253, 15, 65, 0, 253, 15, 253, 147, 2, 11]);

// Returns the URL of the module's variant for this browser.
function variant(hasThreads) {
  const isRelaxed = settings.relaxedSimd && WebAssembly.validate(relaxedModule);
  return settings.files[`webnn${hasThreads ? '-threads' : ''}${isRelaxed ? '-relaxed' : ''}.wasm`];
}

// Creates a host on this thread. Its answers are delivered in a later microtask, so that callers see the same order as with a
// worker.
async function hostHere(module) {
  let isOver = false, heard;
  const later = (hear) => queueMicrotask(() => isOver || hear());
  const host = new Host(await Engine.create(single, module), (answer) => later(() => heard.answered(answer)),
                        (error) => later(() => heard.failed(`the module has failed: ${error.message}`)));
  return {listen: (callbacks) => (heard = callbacks), post: (entries) => host.receive(entries), end: () => (isOver = true)};
}

function hostInWorker(hasThreads) {
  const worker = startWorker(settings.files['worker.js'], hasThreads ? 'webnn-threads' : 'webnn');
  const ended = new AbortController(), {signal} = ended;  // aborting removes the listeners
  let heard;
  const host = {
    failure: undefined,  // the reason, if the worker has failed
    begin: (module) => worker.postMessage({module}),
    listen: (callbacks) => (heard = callbacks),
    post: (entries, buffers) => worker.postMessage(entries, buffers),
    end() {
      ended.abort();
      worker.terminate();
    },
  };
  const fail = (reason) => {
    host.failure = `the worker ended: ${reason}`;
    heard?.failed(host.failure);
  };
  worker.addEventListener('message', ({data}) => ('failed' in data ? fail(data.failed) : heard.answered(data)), {signal});
  worker.addEventListener('error', (event) => {
    event.preventDefault();  // fail() rejects the pending calls instead
    fail(event.message || 'its script could not be loaded.');
  }, {signal});
  return host;
}

// Connects to a new host. Returns {engine, host}. After host.listen({answered, failed}), the host calls answered(answer) for each
// answer, or failed(reason) if no more answers will come.
async function connectHost() {
  if (settings.worker && typeof Worker !== 'function') {
    throw new DOMException('createContext: no worker can be started here, as in a service worker; configure({worker: false}) ' +
                           'computes on the thread that calls.', 'NotSupportedError');
  }
  const hasThreads = settings.worker && settings.threads && !settings.module && liesTogether() && sharesMemory();
  const inWorker = settings.worker ? hostInWorker(hasThreads) : undefined;  // the worker starts while the module is fetched
  try {
    const [module, {default: create}] = await Promise.all([
      settings.module ?? compiled(variant(hasThreads), 'createContext'), hasThreads ? settings.loadThreads() : {default: single}]);
    inWorker?.begin(module);
    const engine = await Engine.create(create, module);
    if (inWorker?.failure) throw new DOMException(`createContext: ${inWorker.failure}`, 'InvalidStateError');
    return {engine, host: inWorker ?? await hostHere(module)};
  } catch (error) {
    inWorker?.end();
    throw error;
  }
}

module.exports = {compiled, connectHost};
