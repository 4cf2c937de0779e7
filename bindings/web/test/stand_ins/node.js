'use strict';
// The parts of node:fs, node:path, node:vm and node:worker_threads that the tests use. The files are {path: text}, which the page
// has fetched.
const files = globalThis.nodeFiles ??= {};
const folderOf = (name) => `${name.replace(/\/$/, '')}/`;

module.exports = {
  existsSync: (name) => name in files || Object.keys(files).some((file) => file.startsWith(folderOf(name))),
  readFileSync: (name) => files[name],
  readdirSync: (name) => Object.keys(files).filter((file) => file.startsWith(folderOf(name))).map((file) => file.slice(folderOf(name).length)),
  join: (...names) => names.join('/'),
  MessageChannel: globalThis.MessageChannel,
  // Uses the realm of an iframe; workers cannot create one.
  runInNewContext(script) {
    const frame = document.body.appendChild(document.createElement('iframe'));
    return frame.contentWindow.eval(script);
  },
};
