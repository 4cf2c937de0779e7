import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';

import {browsers} from './support/browsers.mjs';

const suite = process.env.WEBNN_WPT_DIR;

for (const {name, skip} of browsers) {
  for (const mode of [[], ['--no-worker']]) {
    test(`the upstream suite passes in ${name} ${mode}, but for what the table lists`, {skip: skip || (!suite && 'WEBNN_WPT_DIR names no checkout')}, () => {
      const run = fileURLToPath(new URL('../wpt/run.mjs', import.meta.url));
      const {status, stdout, stderr} = spawnSync(process.execPath, [run, '--wpt', suite, '--browser', name, ...mode], {encoding: 'utf8', maxBuffer: 1e8});
      assert.equal(status, 0, stdout + stderr);
    });
  }
}
