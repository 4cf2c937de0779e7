'use strict';
// Bundles a program that imports the package with each bundler for Node.js, as docs/reference/node.md describes, and runs it.
const assert = require('node:assert/strict');
const {spawnSync} = require('node:child_process');
const fs = require('node:fs');
const {createRequire} = require('node:module');
const {tmpdir} = require('node:os');
const path = require('node:path');
const {after, before, describe, test} = require('node:test');
const binding = require('../lib/binding.js');

const tools = path.join(__dirname, 'bundlers'), root = path.join(__dirname, '..');
const reason = !fs.existsSync(path.join(tools, 'node_modules')) && 'the bundlers are not installed (npm ci in test/bundlers)';
const program = `
import {load} from 'webnn';
async function main() {
  const text = 'webnn_graph "g" v2 { inputs { x: f32[3]; } consts { } nodes { y = relu(x); } outputs { y; } }';
  const graph = await load(new TextEncoder().encode(text));
  console.log((await graph.run({x: [-1, 0, 2]})).y.join());
}
main();
`;

// Each function bundles main.mjs of `folder` and returns the bundle's path, relative to `folder`.
const bundlers = {
  async esbuild(folder, require, external) {
    await require('esbuild').build({
      absWorkingDir: folder, entryPoints: ['main.mjs'], bundle: true, platform: 'node', outfile: 'built/main.cjs', logLevel: 'silent',
      external: external ? ['webnn'] : [],
    });
    return 'built/main.cjs';
  },
  async webpack(folder, require, external) {
    const stats = await new Promise((resolve, reject) => require('webpack')({
      context: folder, mode: 'production', target: 'node20', entry: './main.mjs', output: {path: path.join(folder, 'built'), filename: 'main.cjs'},
      externals: external ? {webnn: 'commonjs webnn'} : {},
    }, (error, done) => (error ? reject(error) : resolve(done))));
    const {errors} = stats.toJson({all: false, errors: true});
    if (errors.length > 0) throw new Error(errors[0].message);
    return 'built/main.cjs';
  },
  // Vite keeps packages in node_modules external.
  async vite(folder, require) {
    const {build} = await import(require.resolve('vite'));
    await build({root: folder, logLevel: 'silent', build: {outDir: 'built', ssr: 'main.mjs', target: 'node20'}, configFile: false});
    return 'built/main.mjs';
  },
};

describe('bundlers', {skip: reason}, () => {
  const require = createRequire(path.join(tools, 'package.json'));
  let folder;
  before(() => {
    folder = fs.mkdtempSync(path.join(tmpdir(), 'webnn-'));
    const installed = path.join(folder, 'node_modules/webnn');
    fs.mkdirSync(installed, {recursive: true});
    for (const name of ['lib', 'prebuilds', 'package.json']) fs.cpSync(path.join(root, name), path.join(installed, name), {recursive: true});
    fs.writeFileSync(path.join(folder, 'main.mjs'), program);
    fs.writeFileSync(path.join(folder, 'package.json'), '{}');
  });
  after(() => folder && fs.rmSync(folder, {recursive: true}));
  const run = (file, env = {}) => spawnSync(process.execPath, [path.join(folder, file)], {cwd: folder, encoding: 'utf8', env: {...process.env, ...env}});

  for (const [name, bundle] of Object.entries(bundlers)) {
    test(`a program built by ${name}, with the package external, computes`, async () => {
      fs.rmSync(path.join(folder, 'built'), {recursive: true, force: true});
      const {stdout, stderr} = run(await bundle(folder, require, true));
      assert.equal(stdout, '0,0,2\n', stderr);
    });
  }

  // Bundlers cannot include the addon, a native library, in a script.
  for (const name of ['esbuild', 'webpack']) {
    test(`a program into which ${name} has put the package wants it external, or to be told where the addon is`, async () => {
      fs.rmSync(path.join(folder, 'built'), {recursive: true, force: true});
      const file = await bundlers[name](folder, require, false);
      const {status, stderr} = run(file, {WEBNN_ADDON: ''});
      assert.equal(status, 1);
      assert.ok(stderr.includes("of a program that a bundler makes, mark the package 'webnn' as external"));
      assert.equal(run(file, {WEBNN_ADDON: process.env.WEBNN_ADDON ?? binding.file}).stdout, '0,0,2\n');
    });
  }
});
