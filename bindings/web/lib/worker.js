'use strict';
// The script of the package's worker. The first message is {module}, a WebAssembly.Module. The worker's name selects the module
// with or without threads.
const {Engine} = require('./engine.js');
const {Host} = require('./host.js');
const single = require('webnn_web');

const answer = (message, transferred) => postMessage(message, transferred);
let host;
const waiting = [];

// Reports an error after which the worker is unusable, and terminates the worker.
function fail(error) {
  answer({failed: error instanceof Error ? error.message : `${error}`}, []);
  close();
}

// Begins to load the script before the module arrives. start() reports a failure.
const loading = self.name === 'webnn-threads' ? import('./webnn-threads.js') : Promise.resolve({default: single});
loading.catch(() => {});

async function start(module) {
  try {
    const {default: create} = await loading;
    host = new Host(await Engine.create(create, module), answer, fail);
    for (const entries of waiting.splice(0)) host.receive(entries);
  } catch (error) {
    fail(error);
  }
}

addEventListener('message', ({data}) => {
  if (data.module) {
    start(data.module);
  } else if (host) {
    host.receive(data);
  } else {
    waiting.push(data);
  }
});
