'use strict';
// The package's worker. Its first message is {module, hasThreads}: the compiled module, and
// whether it is the one with threads.
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

async function start({module, hasThreads}) {
  try {
    const create = hasThreads ? (await import('./webnn-threads.js')).default : single;
    host = new Host(await Engine.create(create, module), answer, fail);
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
