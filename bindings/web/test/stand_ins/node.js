'use strict';
// Replaces node:fs, node:path, node:vm and node:worker_threads in browsers, as far as the tests use them. Before this script
// runs, the page stores the files in globalThis.nodeFiles, an object {path: text}.
const files = globalThis.nodeFiles ??= {};
const folderOf = (name) => `${name.replace(/\/$/, '')}/`;

module.exports = {
  existsSync: (name) => name in files || Object.keys(files).some((file) => file.startsWith(folderOf(name))),
  readFileSync: (name) => files[name],
  readdirSync: (name) => Object.keys(files).filter((file) => file.startsWith(folderOf(name))).map((file) => file.slice(folderOf(name).length)),
  join: (...names) => names.join('/'),
  MessageChannel: globalThis.MessageChannel,
  // Evaluates the script in the realm of an iframe. Workers cannot create iframes.
  runInNewContext(script) {
    const frame = document.body.appendChild(document.createElement('iframe'));
    return frame.contentWindow.eval(script);
  },
};
