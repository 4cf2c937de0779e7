'use strict';
// The package for Node.js: the interfaces of the specification, and what goes beyond.
const api = require('./api.js');
const {env} = require('./env.js');
require('./extensions.js');
const {makeLoad, save} = require('./files.js');
const {run} = require('./graphs.js');
const {InferenceSession} = require('./session.js');
const {Tensor} = require('./tensor.js');

module.exports = {...api, InferenceSession, Tensor, env, load: makeLoad(() => api.ml.createContext()), run, save};
