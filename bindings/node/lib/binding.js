'use strict';
// Finds the addon: the one that the environment variable WEBNN_ADDON names, or that of `npm pack` (prebuilds/) or `npm run
// build`.
const fs = require('node:fs');
const path = require('node:path');

const platform = `${process.platform}-${process.arch}`;
const folder = path.join(__dirname, '..', 'prebuilds');
const file = path.join(folder, platform, 'webnn.node');

function load() {
  if (process.env.WEBNN_ADDON) return require(path.resolve(process.env.WEBNN_ADDON));
  if (!fs.existsSync(file)) {
    const known = fs.existsSync(folder) ? fs.readdirSync(folder).join(', ') : '';
    throw new Error(
      `webnn: there is no addon for ${platform}: ${file} does not exist${known && ` (only for ${known})`}. ` +
      'Build it from the sources with `npm run build` (see docs/node.md).');
  }
  return require(file);
}

module.exports = {file, load};
