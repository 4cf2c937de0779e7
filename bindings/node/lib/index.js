'use strict';
// The package for Node.js: the interfaces of the specification, and what goes beyond.
const api = require('./api.js');
const {makeLoad, save} = require('./files.js');
const {run} = require('./graphs.js');
require('./extensions.js');

module.exports = {...api, load: makeLoad(() => api.ml.createContext()), run, save};
