import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';

const suite = process.env.WEBNN_WPT_DIR;

test('the upstream suite passes, except for the failures in the table', {skip: !suite && 'WEBNN_WPT_DIR names no checkout'}, () => {
  const run = fileURLToPath(new URL('../run.mjs', import.meta.url));
  const {status, stdout, stderr} = spawnSync(process.execPath, [run, '--wpt', suite], {encoding: 'utf8', maxBuffer: 1e8});
  assert.equal(status, 0, stdout + stderr);
});
