'use strict';
const {install: replace, ml} = require('../../js/api.js');

// Installs the globals unless the browser has its own or `replace` is set. Returns whether navigator.ml is this package's.
function install(options = {}) {
  if (options.replace || globalThis.navigator?.ml === undefined) replace();
  return navigator.ml === ml;
}

module.exports = {install};
