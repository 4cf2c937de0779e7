'use strict';
// Checks the options of sessions and runs, with onnxruntime-node's errors.
// https://onnxruntime.ai/docs/api/js/interfaces/InferenceSession.SessionOptions.html

const levels = ['disabled', 'basic', 'extended', 'layout', 'all'], modes = ['sequential', 'parallel'];
const locations = ['none', 'cpu', 'cpu-pinned', 'texture', 'gpu-buffer', 'ml-tensor'];

function requireType(options, scope, name, type, text = `a ${type}`) {
  if (typeof options[name] !== type) throw new TypeError(`Invalid argument: ${scope}.${name} must be ${text}.`);
}

const oneOf = (known) => (options, scope, name) => {
  requireType(options, scope, name, 'string');
  if (!known.includes(options[name])) throw new TypeError(`'${name}' is not supported: ${options[name]}`);
};
const count = (options, scope, name) => {
  requireType(options, scope, name, 'number');
  if (!Number.isInteger(options[name]) || options[name] < 0) throw new RangeError(`'${name}' is invalid: ${options[name]}`);
};
const boolean = (options, scope, name) => requireType(options, scope, name, 'boolean', 'a boolean value');
const string = (options, scope, name) => requireType(options, scope, name, 'string');
const number = (options, scope, name) => requireType(options, scope, name, 'number');
const severity = (options, scope, name) => {
  requireType(options, scope, name, 'number');
  if (![0, 1, 2, 3, 4].includes(options[name]))
    throw new RangeError(`Invalid argument: ${scope}.${name} must be one of the following: 0, 1, 2, 3, 4.`);
};

function externalData({externalData: given}) {
  if (!Array.isArray(given)) throw new TypeError('Invalid argument: sessionOptions.externalData must be an array.');
  const what = 'Invalid argument: sessionOptions.externalData value must';
  for (const file of given) {
    if (typeof file !== 'object' || file === null) throw new TypeError(`${what} be an object in Node.js binding.`);
    if (typeof file.path !== 'string') throw new TypeError(`${what} have a 'path' property of type string in Node.js binding.`);
    if (!ArrayBuffer.isView(file.data))
      throw new TypeError(`${what} have an 'data' property of type buffer or typed array in Node.js binding.`);
  }
}

const sessionOptions = {
  graphOptimizationLevel: oneOf(levels), executionMode: oneOf(modes), intraOpNumThreads: count, interOpNumThreads: count,
  enableCpuMemArena: boolean, enableMemPattern: boolean, enableProfiling: boolean, profileFilePrefix: string, optimizedModelFilePath: string,
  externalData, logId: string, logSeverityLevel: severity, logVerbosityLevel: number,
};
const runOptions = {logSeverityLevel: severity, logVerbosityLevel: number, tag: string};

function check(known, options, scope) {
  for (const [name, requirement] of Object.entries(known)) if (options[name] !== undefined) requirement(options, scope, name);
}

const checkSessionOptions = (options) => check(sessionOptions, options, 'sessionOptions');
const checkRunOptions = (options) => check(runOptions, options, 'runOptions');

// Checks the option preferredOutputLocation. It has no effect, because all outputs are in the memory of the process.
function checkLocations(preferred, outputNames) {
  if (preferred === undefined || preferred === null) return;
  if (typeof preferred !== 'string' && typeof preferred !== 'object')
    throw new TypeError('Invalid argument: preferredOutputLocation must be an array or a valid string.');
  const named = typeof preferred === 'string' ? [] : Object.entries(preferred);
  for (const [name] of named)
    if (!outputNames.includes(name)) throw new TypeError(`Invalid argument: "${name}" is not a valid output name.`);
  for (const location of typeof preferred === 'string' ? [preferred] : named.map(([, each]) => each))
    if (!locations.includes(location)) throw new TypeError('Invalid argument: preferredOutputLocation must be an array or a valid string.');
}

module.exports = {checkLocations, checkRunOptions, checkSessionOptions};
