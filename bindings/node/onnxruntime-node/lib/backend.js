'use strict';
// The backend of onnxruntime-common whose sessions run on webnn.
const webnn = require('webnn');
const {loadError, runError} = require('./errors.js');
const {placed, writeCopy} = require('./files.js');
const {checkLocations, checkRunOptions, checkSessionOptions} = require('./options.js');
const {fed, fill, requireDeclared, requireTensor, resultOf} = require('./tensors.js');

// Returns the metadata as onnxruntime-node has it: an unknown rank is [], and a dimension without a name is ''.
const shown = (metadata) => metadata.map(({name, isTensor, type, shape}) => {
  if (!isTensor || (type === undefined && shape === undefined)) return {name, isTensor: false};
  const sizes = shape === undefined || shape.includes('...') ? [] : shape;
  return {name, isTensor, type, shape: sizes.map((size, axis) => (size === `${name}.${axis}` ? '' : size))};
});

class SessionHandler {
  #session;  // undefined after dispose()
  #files;

  constructor(session, files) {
    this.#session = session;
    this.#files = files;
    this.inputNames = [...session.inputNames];
    this.outputNames = [...session.outputNames];
    this.inputMetadata = shown(session.inputMetadata);
    this.outputMetadata = shown(session.outputMetadata);
  }

  #requireSession() {
    if (!this.#session) throw new Error('Session already disposed.');
    return this.#session;
  }

  async dispose() {
    const session = this.#requireSession();
    this.#session = undefined;
    await session.release();
    this.#files.remove();
  }

  startProfiling() {}
  endProfiling() {}

  // `fetches` maps names of outputs to the caller's tensors, or null for new tensors.
  async run(feeds, fetches, options) {
    const session = this.#requireSession();
    checkRunOptions(options);
    const given = Object.fromEntries(this.inputMetadata.map((input) => [input.name, fed(feeds[input.name], input)]));
    const names = this.outputNames.filter((name) => Object.hasOwn(fetches, name));
    for (const name of names) {
      if (fetches[name] === null) continue;
      requireTensor(fetches[name]);
      requireDeclared(fetches[name], this.outputMetadata.find((output) => output.name === name), 'output');
    }
    const results = await session.run(given, names).catch((error) => { throw runError(error); });
    for (const name of names) if (fetches[name] !== null) fill(fetches[name], results[name], name);
    return Object.fromEntries(names.map((name) => [name, resultOf(results[name])]));
  }
}

// Returns the options of webnn's session. Files are not mapped, because programs overwrite files. As in onnxruntime-node, a run
// blocks the event loop and does not copy the feeds. Many graphs are cached, because a decoder that generates a second text meets
// the lengths of the first text again; a cached graph takes about 0.5 MB, because graphs share their weights.
const optionsOf = ({graphOptimizationLevel, intraOpNumThreads}) =>
  ({graphOptimizationLevel, intraOpNumThreads, mapFiles: false, synchronous: true, graphs: 64});

const backend = {
  async init() {},
  async createInferenceSessionHandler(model, options = {}) {
    checkSessionOptions(options);
    if (options.enableProfiling)
      console.warn('enableProfiling has no effect in webnn-onnxruntime-node: `webnn bench MODEL --trace FILE` measures each operation.');
    if (typeof model !== 'string' && model.byteLength === 0) throw new Error('Model data pointer is null.');
    const files = placed(model, options.externalData);
    let session;
    try {
      session = await webnn.InferenceSession.create(files.source, optionsOf(options)).catch((error) => { throw loadError(error, model); });
      checkLocations(options.preferredOutputLocation, session.outputNames);
      if (options.optimizedModelFilePath) writeCopy(model, options.optimizedModelFilePath);
    } catch (error) {
      await session?.release();
      files.remove();
      throw error;
    }
    const handler = new SessionHandler(session, files);
    files.removeAfter(handler);
    return handler;
  },
};

module.exports = {backend};
