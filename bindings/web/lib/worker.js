'use strict';
// The package's worker. Its first message is {module}: the compiled module. Its name says whether that is the one with threads.
const {Engine} = require('./engine.js');
const {Host} = require('./host.js');
const single = require('webnn-module');

const answer = (message, transferred) => postMessage(message, transferred);
let host;
const waiting = [];

// Reports what nothing can go on after.
function fail(error) {
  answer({failed: error instanceof Error ? error.message : `${error}`}, []);
  close();
}

// Before the module is there; start() tells of a failure.
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
