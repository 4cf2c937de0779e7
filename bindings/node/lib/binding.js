'use strict';
// Finds the addon: the one that the environment variable WEBNN_ADDON names, or that of `npm pack` (prebuilds/) or `npm run
// build`.
// getBuiltinModule() where it is: what bundlers make of require() fails in ES modules, without saying that this package is external.
const fs = process.getBuiltinModule?.('node:fs') ?? require('node:fs');
const path = process.getBuiltinModule?.('node:path') ?? require('node:path');

const platform = `${process.platform}-${process.arch}`;
const here = typeof __dirname === 'undefined' ? process.cwd() : __dirname;  // a bundle that is an ES module has none
const folder = path.join(here, '..', 'prebuilds');
const file = path.join(folder, platform, 'webnn.node');

// Not by require(), which bundlers replace.
function open(addon) {
  const module = {exports: {}};
  process.dlopen(module, addon);
  return module.exports;
}

function load() {
  if (process.env.WEBNN_ADDON) return open(path.resolve(process.env.WEBNN_ADDON));
  if (!fs.existsSync(file)) {
    const known = fs.existsSync(folder) ? fs.readdirSync(folder).join(', ') : '';
    throw new Error(
      `webnn: there is no addon for ${platform}: ${file} does not exist${known && ` (only for ${known})`}. ` +
      'Build it from the sources with `npm run build`; of a program that a bundler makes, mark the package \'webnn\' as external ' +
      '(see docs/node.md).');
  }
  return open(file);
}

module.exports = {file, load};
