'use strict';
// install() of a browser's package: what the browser has stays, unless told otherwise.
const {install: replace, ml} = require('../../js/api.js');

// Puts `ml` on navigator and the constructors on globalThis; whether they are this package's then.
function install(options = {}) {
  if (options.replace || globalThis.navigator?.ml === undefined) replace();
  return navigator.ml === ml;
}

module.exports = {install};
