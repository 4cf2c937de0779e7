'use strict';
// Finds the addon: first the file in the environment variable WEBNN_ADDON, then prebuilds/ (made by `npm run build`), then the
// package for this platform that npm installs beside this one (docs/guides/packages.md).
// Prefer getBuiltinModule(): in ES modules, a require() rewritten by a bundler fails, and its error does not say that this
// package must be external.
const builtin = (name) => process.getBuiltinModule?.(name) ?? require(name);
const fs = builtin('node:fs');
const {createRequire} = builtin('node:module');
const path = builtin('node:path');

const platform = `${process.platform}-${process.arch}`;
const here = typeof __dirname === 'undefined' ? process.cwd() : __dirname;  // bundled ES modules have no __dirname
const folder = path.join(here, '..', 'prebuilds');
const file = path.join(folder, platform, 'webnn.node');

// Loads the addon with process.dlopen(), because bundlers would rewrite require().
function open(addon) {
  const module = {exports: {}};
  process.dlopen(module, addon);
  return module.exports;
}

function ofPlatform() {
  try {
    return createRequire(path.join(here, 'binding.js')).resolve(`@libwebnn/${platform}/webnn.node`);
  } catch {
    return undefined;
  }
}

function load() {
  if (process.env.WEBNN_ADDON) return open(path.resolve(process.env.WEBNN_ADDON));
  const found = fs.existsSync(file) ? file : ofPlatform();
  if (!found) {
    const known = fs.existsSync(folder) ? fs.readdirSync(folder).join(', ') : '';
    const isMusl = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;
    const needs = isMusl ? ' It needs glibc, which this system (musl, Alpine Linux) has not.' : '';
    throw new Error(
      `webnn: there is no addon for ${platform}: the package @libwebnn/${platform} is not installed, and ${file} does not exist` +
      `${known && ` (only for ${known})`}.${needs} Install without --omit=optional, on the platform where the program runs. ` +
      'Or build it from the sources with `npm run build`; of a program that a bundler makes, mark the package \'webnn\' as external ' +
      '(see docs/reference/node.md).');
  }
  return open(found);
}

module.exports = {file, load};
