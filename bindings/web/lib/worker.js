'use strict';
// The package's worker. Its first message is {module, settings}: the compiled module, and what Emscripten's function takes.
const {Engine} = require('./engine.js');
const {Host} = require('./host.js');
const create = require('webnn-module');

const answer = (message, transferred) => postMessage(message, transferred);
let host;
const waiting = [];

// Reports what nothing can go on after.
function fail(error) {
  answer({failed: error instanceof Error ? error.message : `${error}`}, []);
  close();
}

async function start({module}) {
  try {
    host = new Host(await Engine.create(create, {
      instantiateWasm(imports, done) {
        WebAssembly.instantiate(module, imports).then((instance) => done(instance, module), fail);
        return {};
      },
    }), answer, fail);
    for (const entries of waiting.splice(0)) host.receive(entries);
  } catch (error) {
    fail(error);
  }
}

addEventListener('message', ({data}) => {
  if (data.module) {
    start(data);
  } else if (host) {
    host.receive(data);
  } else {
    waiting.push(data);
  }
});
