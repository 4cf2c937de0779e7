// Runs the platform-independent tests of the Node.js package, and the test vectors, in browsers.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {after, before, describe, test} from 'node:test';
import {fileURLToPath} from 'node:url';

import {browsers, launch} from './support/browsers.mjs';
import {bundleNodeTests} from './support/bundle.mjs';
import {runnerPage, runScript} from './support/run.mjs';
import {serve} from './support/server.mjs';

const vectors = process.env.WEBNN_VECTORS ?? fileURLToPath(new URL('../../../../shared/wpt', import.meta.url));

// Names of tests to skip, with reasons.
const always = [['the ES module exports the same', 'there is no other module than the ES module']];
const inWorkers = [['buffers of another realm are taken', 'a worker has no other realm']];
const withoutWorker = [['the event loop turns while a graph runs and while one is built', 'the thread that calls computes, and does nothing else']];
const inWebKit = ['bytes are written from buffers and views of the type, or of bytes', 'a read fills the buffer that is given, when it is done and not before']
  .map((test) => [test, 'WebKitGTK has no SharedArrayBuffer, not in isolated pages either']);

async function startServer() {
  const bundle = await bundleNodeTests();
  const names = fs.existsSync(vectors) ? fs.readdirSync(vectors).filter((name) => name.endsWith('.json')) : [];
  const pages = (url) => {
    if (url.pathname === '/node_tests.js') return {type: 'text/javascript', body: bundle};
    if (url.pathname === '/vectors/') return {type: 'application/json', body: JSON.stringify(names)};
    return runnerPage(url);
  };
  return serve({pages, isolated: true, folders: {'/vectors/': path.resolve(vectors)}});
}

for (const {name, skip} of browsers) {
  describe(name, {skip}, () => {
    let browser, server;
    before(async () => [browser, server] = await Promise.all([launch(name), startServer()]));
    after(async () => {
      await browser?.close();
      server?.close();
    });
    for (const scope of ['window', 'worker']) {
      for (const worker of [true, false]) {
        test(`Node's tests pass in a ${scope}, ${worker ? 'with' : 'without'} the package's worker`, async (t) => {
          const leftOut = [...always, ...(scope === 'worker' ? inWorkers : []), ...(worker ? [] : withoutWorker), ...(name === 'webkit' ? inWebKit : [])];
          const {value, console} = await runScript(browser, server.origin, '/test/pages/node_tests.js',
                                                   {scope, worker, leftOut: JSON.stringify(leftOut)});
          for (const [test] of leftOut) assert.ok(value.some((each) => each.name === test), `${test}: there is no such test`);
          for (const each of value.filter(({skip}) => skip)) t.diagnostic(`left out: ${each.name}: ${each.skip}`);
          t.diagnostic(`${value.filter(({skip}) => !skip).length} tests`);
          assert.deepEqual(value.filter(({error}) => error), []);
          assert.deepEqual(console, []);
        });
      }
    }
  });
}
