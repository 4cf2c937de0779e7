'use strict';
// Tests that the type declarations match the package under strict settings, and that eslint reports nothing.
const assert = require('node:assert/strict');
const {spawnSync} = require('node:child_process');
const {existsSync, readFileSync} = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const {webnn} = require('./support.js');

const root = path.join(__dirname, '..');
const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
const eslint = path.join(root, 'node_modules/eslint/bin/eslint.js');
const skip = !existsSync(tsc) && 'typescript is not installed';

for (const lib of ['es2024', 'es2024,dom']) {
  test(`tsc --strict takes the declarations with the library ${lib}`, {skip}, () => {
    const {status, stdout} = spawnSync(process.execPath, [
      tsc, '--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--lib', lib, '--target', 'es2024',
      '--module', 'nodenext', '--types', '', '--skipLibCheck', 'false', 'test/types/program.mts',
    ], {cwd: root, encoding: 'utf8'});
    assert.equal(stdout, '');
    assert.equal(status, 0);
  });
}

test('eslint has nothing to say', {skip: !existsSync(eslint) && 'eslint is not installed'}, () => {
  const {status, stdout} = spawnSync(process.execPath, [eslint, '.'], {cwd: root, encoding: 'utf8'});
  assert.equal(status, 0, stdout);
});

test('every member is declared, and every export', () => {
  const printed = readFileSync(path.join(root, 'webnn.d.ts'), 'utf8');
  const exported = readFileSync(path.join(root, 'index.d.ts'), 'utf8');
  for (const [name, value] of Object.entries(webnn)) {
    assert.match(exported, new RegExp(`\\b${name}\\b`));
    if (!name.startsWith('ML')) continue;
    const declared = new RegExp(`^interface ${name} \\{\\n(.*?)^\\}`, 'ms').exec(printed)[1];
    for (const member of Object.keys(value.prototype)) assert.match(declared, new RegExp(`^  (readonly )?${member}[(:]`, 'm'));
  }
});
