'use strict';
// The rest of Node.js that the tests use: node:fs over files that the page has fetched, {path: text}; node:path; node:vm; and
// node:worker_threads.
const files = globalThis.nodeFiles ??= {};
const folderOf = (name) => `${name.replace(/\/$/, '')}/`;

module.exports = {
  existsSync: (name) => name in files || Object.keys(files).some((file) => file.startsWith(folderOf(name))),
  readFileSync: (name) => files[name],
  readdirSync: (name) => Object.keys(files).filter((file) => file.startsWith(folderOf(name))).map((file) => file.slice(folderOf(name).length)),
  join: (...names) => names.join('/'),
  MessageChannel: globalThis.MessageChannel,
  // In another realm: of a frame, which workers have none of.
  runInNewContext(script) {
    const frame = document.body.appendChild(document.createElement('iframe'));
    return frame.contentWindow.eval(script);
  },
};
