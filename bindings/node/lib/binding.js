'use strict';
// Finds the addon: the one that the environment variable WEBNN_ADDON names, or that of `npm pack` (prebuilds/) or `npm run
// build`.
const fs = require('node:fs');
const path = require('node:path');

const platform = `${process.platform}-${process.arch}`;
const folder = path.join(__dirname, '..', 'prebuilds');
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
