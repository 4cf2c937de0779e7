// Tests programs that `webnn convert` writes for browsers.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {after, before, describe, test} from 'node:test';
import {fileURLToPath} from 'node:url';

import {readPng} from '../../node/examples/digits/png.mjs';
import {browsers, launch} from './support/browsers.mjs';
import {runnerPage, runScript} from './support/run.mjs';
import {serve, strictPolicy} from './support/server.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const tool = process.env.WEBNN_TOOL ?? path.join(root, 'build/release/tools/cli/webnn');
const missing = fs.existsSync(tool) ? false : `${tool} is not built`;

for (const {name, skip} of browsers) {
  describe(name, {skip: skip || missing}, () => {
    let browser, server, folder;
    before(async () => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'webnn-programs-'));
      execFileSync(tool, ['convert', '--quiet', path.join(root, 'examples/digits/digits.webnn'), path.join(folder, 'digits.js')]);
      const {pixels} = readPng(fs.readFileSync(path.join(root, 'examples/digits/samples/7.png')));
      fs.writeFileSync(path.join(folder, 'pixels'), JSON.stringify(Array.from(pixels, (grey) => grey / 255)));
      server = await serve({pages: runnerPage, policy: strictPolicy, folders: {'/program/': folder}});
      browser = await launch(name);
    });
    after(async () => {
      await browser?.close();
      server?.close();
      fs.rmSync(folder, {recursive: true});
    });
    test('a program in JavaScript builds its graph, which reads a digit', async () => {
      const {value} = await runScript(browser, server.origin, '/test/pages/programs.js');
      assert.equal(value.indexOf(Math.max(...value)), 7);
      assert.ok(value[7] > 0.9, String(value));
    });
  });
}
