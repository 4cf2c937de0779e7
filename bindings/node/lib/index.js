'use strict';
require('./platform.js');  // sets platform.native, which the modules in js/ need when loaded
const api = require('./js/api.js');
const {env} = require('./env.js');
require('./js/extensions.js');
const {makeLoad, save} = require('./files.js');
const {run} = require('./js/graphs.js');
const {InferenceSession} = require('./session.js');
const {Tensor} = require('./js/tensor.js');

module.exports = {...api, InferenceSession, Tensor, env, load: makeLoad(() => api.ml.createContext()), run, save};
