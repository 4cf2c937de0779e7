// Tests the package from another origin and under several security policies.
import assert from 'node:assert/strict';
import {after, before, describe, test} from 'node:test';

import {browsers, launch} from './support/browsers.mjs';
import {runnerPage, runScript} from './support/run.mjs';
import {serve, strictPolicy} from './support/server.mjs';

const script = '/test/pages/policy.js';

for (const {name, skip} of browsers) {
  describe(name, {skip}, () => {
    let browser;
    before(async () => browser = await launch(name));
    after(() => browser?.close());

    // Runs the script `of` in the browser, on a page of a new server with these options. Returns what runScript() returns.
    async function on(options, parameters = {}, of = script) {
      const server = await serve({pages: runnerPage, ...options});
      try {
        return await runScript(browser, server.origin, of, parameters);
      } finally {
        server.close();
      }
    }

    for (const scope of ['window', 'worker']) {
      for (const worker of [true, false]) {
        test(`a strict policy, in a ${scope}, ${worker ? 'with' : 'without'} the package's worker`, async () => {
          const {value, console} = await on({policy: strictPolicy}, {scope, worker});
          assert.deepEqual(value, [2, 4]);
          assert.deepEqual(console.filter((line) => !line.includes('data:,')), []);
        });
      }
    }

    test('a policy without wasm-unsafe-eval is refused with an error', async () => {
      await assert.rejects(on({policy: strictPolicy.replace(" 'wasm-unsafe-eval'", '')}), /CompileError|Content.Security.Policy/i);
    });

    test('pages that are isolated, and pages that are not', async () => {
      for (const isolated of [true, false]) assert.deepEqual(await on({isolated}), {value: [2, 4], console: []});
    });

    test('a package of another origin', async () => {
      const headers = {'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin'};
      const cdn = await serve({headers});
      try {
        for (const worker of [true, false]) {
          const {value, console} = await on({}, {package: `${cdn.origin}/dist/webnn.js`, worker});
          assert.deepEqual(value, [2, 4]);
          assert.deepEqual(console, []);
        }
        const {value} = await on({isolated: true}, {package: `${cdn.origin}/dist/webnn.js`});
        assert.deepEqual(value, [2, 4]);
        // A strict policy refuses workers from blob: URLs.
        const policy = strictPolicy.replaceAll("'self'", `'self' ${cdn.origin}`);
        await assert.rejects(on({policy}, {package: `${cdn.origin}/dist/webnn.js`}), /could not be loaded|SecurityError|Content.Security.Policy/);
      } finally {
        cdn.close();
      }
    });

    test('a server that knows no type of .wasm, and one that lacks the file', async () => {
      const types = {'/dist/webnn.wasm': 'application/octet-stream', '/dist/webnn-relaxed.wasm': 'application/octet-stream'};
      assert.deepEqual((await on({types})).value, [2, 4]);
      await assert.rejects(on({isMissing: (file) => /^\/dist\/webnn(-relaxed)?\.wasm$/.test(file)}), /NetworkError: createContext: .*webnn(-relaxed)?\.wasm cannot be loaded: 404/);
    });

    test('a service worker starts no worker, and says so', async () => {
      const {value: [refused, computed]} = await on({headers: {'Service-Worker-Allowed': '/'}}, {}, '/test/pages/in_service_worker.js');
      assert.match(refused, /^NotSupportedError: createContext: no worker can be started here, as in a service worker/);
      assert.equal(computed, 'a context');
    });
  });
}
