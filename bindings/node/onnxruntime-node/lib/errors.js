'use strict';
// Converts errors of webnn to errors of onnxruntime-node, which rejects with plain Errors. The cause is webnn's own error.

// Returns the error for a model that cannot be loaded. `model` is its path or its bytes.
function loadError(error, model) {
  const isPath = typeof model === 'string';
  if (error.name === 'NotFoundError' && isPath && error.message.includes(`"${model}"`))
    return new Error(`Load model from ${model} failed:Load model ${model} failed. File doesn't exist`, {cause: error});
  if (error.name === 'DataError' && /^line \d|cut off|is no /.test(error.message))
    return new Error(`Failed to load model because protobuf parsing failed. ${error.message}`, {cause: error});
  return new Error(`This is an invalid model. ${error.message}`, {cause: error});
}

const runError = (error) => new Error(error.message, {cause: error});

module.exports = {loadError, runError};
