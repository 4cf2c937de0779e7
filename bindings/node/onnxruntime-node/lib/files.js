'use strict';
// Reads and writes the files of a session.
const fs = require('node:fs');
const {tmpdir} = require('node:os');
const path = require('node:path');

// Writes a copy of the model to `file`, the path of the optimized model. The copy is not optimized: the session that loads it
// optimizes it.
function writeCopy(model, file) {
  if (typeof model !== 'string') fs.writeFileSync(file, model);
  else if (path.resolve(model) !== path.resolve(file)) fs.copyFileSync(model, file);
}

const folders = new Set();  // temporary directories that exist; they are removed when the process ends

function remove(folder) {
  if (folders.delete(folder)) fs.rmSync(folder, {recursive: true, force: true});
}

const unreachable = new FinalizationRegistry(remove);

// Returns {source, remove(), removeAfter(session)}. If the caller gives external data in memory, writes model and data to a temporary
// directory, because webnn reads external data from files. remove() removes this directory, and so does the garbage collection of a
// session for which removeAfter() was called; until then the session may read more of the data.
function placed(model, externalData) {
  if (!externalData?.length) return {source: model, remove() {}, removeAfter() {}};
  if (folders.size === 0) process.once('exit', () => [...folders].forEach(remove));
  const folder = fs.mkdtempSync(path.join(tmpdir(), 'webnn-onnxruntime-')), source = path.join(folder, 'model.onnx');
  folders.add(folder);
  try {
    fs.writeFileSync(source, typeof model === 'string' ? fs.readFileSync(model) : model);
    for (const {path: name, data} of externalData) {
      const file = path.resolve(folder, name);
      if (!file.startsWith(folder + path.sep) || file === source)
        throw new Error(`External data path '${name}' does not lie below the model's directory.`);
      fs.mkdirSync(path.dirname(file), {recursive: true});
      fs.writeFileSync(file, data);
    }
  } catch (error) {
    remove(folder);
    throw error;
  }
  return {source, remove: () => remove(folder), removeAfter: (session) => unreachable.register(session, folder)};
}

module.exports = {placed, writeCopy};
