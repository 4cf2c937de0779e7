'use strict';
// The API of onnxruntime-node. As in that package, all classes come from onnxruntime-common; its sessions call a registered
// backend. Node.js finds the names of exports for ES modules only if each has an assignment of its own.
const common = require('onnxruntime-common');
const {version} = require('../package.json');
const {backend} = require('./backend.js');

Object.defineProperty(exports, '__esModule', {value: true});
exports.listSupportedBackends = () => [{name: 'cpu', bundled: true}];
exports.registerBackend = common.registerBackend;
exports.env = common.env;
exports.InferenceSession = common.InferenceSession;
exports.Tensor = common.Tensor;
exports.TRACE = common.TRACE;
exports.TRACE_FUNC_BEGIN = common.TRACE_FUNC_BEGIN;
exports.TRACE_FUNC_END = common.TRACE_FUNC_END;
exports.TRACE_EVENT_BEGIN = common.TRACE_EVENT_BEGIN;
exports.TRACE_EVENT_END = common.TRACE_EVENT_END;

for (const {name} of exports.listSupportedBackends()) common.registerBackend(name, backend, 100);
Object.defineProperty(common.env.versions, 'node', {value: `${common.env.versions.common}+webnn${version}`, enumerable: true});
