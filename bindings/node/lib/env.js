'use strict';
// The `env` object of onnxruntime's JavaScript packages. Settings are stored but have no effect.
const {typeError} = require('./js/messages.js');
const {version} = require('../package.json');

const levels = ['verbose', 'info', 'warning', 'error', 'fatal'];
let logLevel = 'warning';

const env = {
  debug: false, trace: false, wasm: {}, webgl: {}, webgpu: {}, versions: {common: version, node: version},
  get logLevel() { return logLevel; },
  set logLevel(level) {
    if (!levels.includes(level)) throw typeError(`env: logLevel '${level}' is none of ${levels.join(', ')}.`);
    logLevel = level;
  },
};

module.exports = {env};
