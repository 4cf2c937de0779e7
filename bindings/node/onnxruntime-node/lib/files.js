'use strict';
// Reads and writes the files of a session.
const fs = require('node:fs');
const {tmpdir} = require('node:os');
const path = require('node:path');

// Writes the model as the optimized model. Each session optimizes its model when it loads it.
function writeCopy(model, file) {
  if (typeof model !== 'string') fs.writeFileSync(file, model);
  else if (path.resolve(model) !== path.resolve(file)) fs.copyFileSync(model, file);
}

// Calls create(model). If the caller gives the external data in memory, writes model and data to a temporary directory, because
// webnn reads external data from files.
async function withFiles(model, externalData, create) {
  if (!externalData?.length) return create(model);
  const folder = fs.mkdtempSync(path.join(tmpdir(), 'webnn-onnxruntime-'));
  try {
    const source = path.join(folder, 'model.onnx');
    fs.writeFileSync(source, typeof model === 'string' ? fs.readFileSync(model) : model);
    for (const {path: name, data} of externalData) {
      const file = path.resolve(folder, name);
      if (!file.startsWith(folder + path.sep) || file === source)
        throw new Error(`External data path '${name}' is not below the model's directory.`);
      fs.mkdirSync(path.dirname(file), {recursive: true});
      fs.writeFileSync(file, data);
    }
    return await create(source);
  } finally {
    fs.rmSync(folder, {recursive: true});
  }
}

module.exports = {withFiles, writeCopy};
