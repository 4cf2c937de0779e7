'use strict';
// Makes directories in which programs find the package onnxruntime-node: the real one, or webnn-onnxruntime-node under its name, as
// npm lays out an alias.
const fs = require('node:fs');
const {tmpdir} = require('node:os');
const path = require('node:path');
const {spawnSync} = require('node:child_process');

const root = path.join(__dirname, '../..'), installed = path.join(__dirname, 'node_modules');
const skip = !fs.existsSync(path.join(installed, '.installed.json')) && 'onnxruntime-node is not installed (scripts/setup/setup_node_package.sh)';
const python = path.join(root, '../../build/python/bin/python');

// Returns {folder, remove}. Packages are symbolic links, but packages that must find our onnxruntime-node are copied.
function makeTree(isOurs) {
  const folder = fs.mkdtempSync(path.join(tmpdir(), 'webnn-onnxruntime-')), modules = path.join(folder, 'node_modules');
  fs.mkdirSync(modules);
  for (const name of fs.readdirSync(installed)) {
    const isCopied = isOurs && ['@huggingface', 'onnxruntime-common'].includes(name);
    if (name.startsWith('.') || (isOurs && name === 'onnxruntime-node')) continue;
    if (isCopied) fs.cpSync(path.join(installed, name), path.join(modules, name), {recursive: true});
    else fs.symlinkSync(path.join(installed, name), path.join(modules, name));
  }
  if (isOurs) {
    fs.cpSync(path.join(root, 'onnxruntime-node'), path.join(modules, 'onnxruntime-node'), {recursive: true});
    fs.symlinkSync(root, path.join(modules, 'webnn'));
  }
  return {folder, remove: () => fs.rmSync(folder, {recursive: true})};
}

// Runs a program of this directory in a tree. Returns {status, stdout, stderr}.
function runIn({folder}, program, ...args) {
  const copy = path.join(folder, path.basename(program));
  fs.copyFileSync(path.join(__dirname, program), copy);
  return spawnSync(process.execPath, [copy, ...args], {cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28});
}

// Writes the models with Python. Returns the directory, which the caller removes, or undefined if build/python does not exist.
function makeModels(...args) {
  if (!fs.existsSync(python)) return undefined;
  const folder = fs.mkdtempSync(path.join(tmpdir(), 'webnn-models-'));
  const {status, stderr} = spawnSync(python, [path.join(__dirname, 'make_models.py'), folder, ...args], {encoding: 'utf8'});
  if (status !== 0) throw new Error(stderr);
  return folder;
}

module.exports = {makeModels, makeTree, python, root, runIn, skip};
