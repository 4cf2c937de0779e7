'use strict';
// Parses the session options of onnxruntime, and our extensions.
// https://onnxruntime.ai/docs/api/js/interfaces/InferenceSession.SessionOptions.html
const {contextSlots} = require('./js/context.js');
const {ml} = require('./js/api.js');
const {loadOptions} = require('./files.js');
const idl = require('./js/idl.js');
const {typeError} = require('./js/messages.js');
const {makeError} = require('./js/native.js');
const {platform} = require('./js/platform.js');
const types = require('./js/types.js');

const levels = {disabled: {disable: 'all'}, basic: {}, extended: {}, layout: {}, all: {}};
const backends = platform.native.backends();

const contextType = idl.interfaceType('MLContext', contextSlots);

const known = idl.dictionary([
  {name: 'executionProviders', type: idl.sequence((value) => (typeof value === 'string' ? {name: value} : value))},
  {name: 'freeDimensionOverrides', type: (value) => value},
  {name: 'graphOptimizationLevel', type: idl.enumeration('graphOptimizationLevel', Object.keys(levels)), fallback: 'all'},
  {name: 'graphs', type: idl.enforcedUnsignedLong, fallback: 4},
  {name: 'intraOpNumThreads', type: idl.enforcedUnsignedLong, fallback: 0},
  {name: 'context', type: contextType},
  {name: 'seed', type: idl.enforcedUnsignedLongLong},
  {name: 'synchronous', type: idl.boolean, fallback: false},
]);

// Options of onnxruntime that read or write further files. They are not supported, and an error is better than a silently missing
// file.
const missing = {
  enableProfiling: '`webnn bench MODEL --trace FILE` measures each operation',
  optimizedModelFilePath: '`webnn convert` writes models',
  externalData: 'external data is found beside a model that is given by its path',
};

// Returns the context options for an execution provider, or undefined for an unknown name.
function contextOptionsOf({name, deviceType, powerPreference, numThreads}, {intraOpNumThreads, graphOptimizationLevel}) {
  if (name !== 'webnn' && !backends.includes(name)) return undefined;
  const options = {threads: numThreads ?? intraOpNumThreads};
  if (name === 'webnn') return {...options, powerPreference, accelerated: deviceType === 'gpu' || deviceType === 'npu'};
  return {...options, backend: name, ...(name === 'cpu' && {backendOptions: levels[graphOptimizationLevel]})};
}

// Creates a context for the first available execution provider. Returns the context's slots, and whether the session owns the
// context.
async function contextFor(providers, options) {
  if (options.context) return {context: options.context, isOwn: false};
  let problem;
  for (const provider of providers) {
    if (provider.context !== undefined)
      return {context: contextType(provider.context, 'create: options: executionProviders: context'), isOwn: false};
    const wanted = contextOptionsOf(provider, options);
    if (!wanted) {
      problem ??= makeError('NotSupportedError', `create: there is no execution provider '${provider.name}'; there are webnn, ${backends.join(', ')}.`);
      continue;
    }
    try {
      return {context: contextSlots(await ml.createContext(wanted)), isOwn: true};
    } catch (error) {
      problem ??= error;
    }
  }
  throw problem;
}

// Validates the options of InferenceSession.create(). Returns them with two more fields: `load`, the options for the addon, and
// contextFor(), which resolves with the session's context.
function sessionOptions(given) {
  for (const [name, instead] of Object.entries(missing))
    if (given[name]) throw makeError('NotSupportedError', `create: there is no ${name}: ${instead}.`);
  const options = known(given, 'create: options'), {executionProviders: providers = [{name: 'cpu'}], freeDimensionOverrides} = options;
  const wrong = providers.find((provider) => typeof provider?.name !== 'string');
  if (providers.length === 0 || wrong !== undefined)
    throw typeError("create: executionProviders are names, or objects {name}, as in ['cpu'].");
  const {graphs, seed, synchronous} = options;
  const load = {...loadOptions({...given, dimensions: {...freeDimensionOverrides, ...given.dimensions}}, 'create: options'),
                graphs: synchronous ? Math.max(graphs, 1) : 0, seed};
  return {...options, load, signal: types.callOptions(given, 'create: options').signal,
          contextFor: () => contextFor(providers, options)};
}

module.exports = {sessionOptions};
