// Tests the network of examples/voice as its page runs it: samples, features, probabilities, with the state kept in tensors.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {after, before, describe, test} from 'node:test';
import {fileURLToPath} from 'node:url';

import {browsers, launch} from './support/browsers.mjs';
import {runnerPage, runScript} from './support/run.mjs';
import {serve, strictPolicy} from './support/server.mjs';

const folder = (name) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
const expected = JSON.parse(fs.readFileSync(path.join(folder('examples/voice'), 'expected.json'), 'utf8'));

function near(found, wanted, tolerance, what) {
  assert.equal(found.length, wanted.length, what);
  for (const [i, value] of wanted.entries()) assert.ok(Math.abs(found[i] - value) <= tolerance, `${what}[${i}]: ${found[i]}, not ${value}`);
}

for (const {name, skip} of browsers) {
  describe(name, {skip}, () => {
    let browser, server, value;
    before(async () => {
      // Serve the demo's files as scripts/web_demo.mjs does.
      const folders = {'/demo/webnn/': folder('bindings/web/dist'), '/demo/voice/': folder('examples/voice'), '/demo/': folder('examples/web')};
      server = await serve({pages: runnerPage, policy: strictPolicy, folders});
      browser = await launch(name);
      ({value} = await runScript(browser, server.origin, '/test/pages/voice.js'));
    });
    after(async () => {
      await browser?.close();
      server?.close();
    });
    test('features are those of the training', () => {
      for (const [i, frame] of expected.features.entries()) near(value.features[i], frame, 1e-5, `frame ${i}`);
    });
    test('probabilities are those computed in double precision, and after a reset again', () => {
      near(value.probabilities, expected.probabilities, 1e-4, 'probabilities');
      assert.deepEqual(value.again, value.probabilities.slice(0, value.again.length));
    });
    test('a tone of any rate is the same tone at 16 kHz, and one above 8 kHz is gone', () => {
      for (const {rate, kept, gone} of value.tones) {
        assert.ok(kept < 1e-3, `${rate}: off by ${kept}`);
        assert.ok(gone < 1e-2, `${rate}: ${gone} of it is left`);
      }
    });
  });
}
