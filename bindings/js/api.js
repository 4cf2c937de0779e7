'use strict';
// Creates `ml`, and installs the interfaces of https://www.w3.org/TR/webnn/ as globals.
const {MLGraphBuilder, MLOperand} = require('./builder.js');
const {ML, MLContext, MLGraph, MLTensor} = require('./context.js');
const {internal} = require('./interfaces.js');

const constructors = {ML, MLContext, MLGraph, MLGraphBuilder, MLOperand, MLTensor};
const ml = new ML(internal);

// Returns `navigator`. Creates one in versions of Node.js before 21, which have none.
function navigatorObject() {
  if (globalThis.navigator === undefined) {
    class Navigator {
      constructor() { if (arguments[0] !== internal) throw new TypeError('Illegal constructor'); }
    }
    Object.defineProperty(Navigator.prototype, Symbol.toStringTag, {value: 'Navigator', configurable: true});
    const navigator = new Navigator(internal);
    Object.defineProperty(globalThis, 'Navigator', {value: Navigator, writable: true, configurable: true});
    Object.defineProperty(globalThis, 'navigator', {get: () => navigator, enumerable: true, configurable: true});
  }
  return globalThis.navigator;
}

// Adds `ml` to navigator and the constructors to globalThis, where programs for browsers expect them.
function install() {
  const navigator = navigatorObject();
  const prototype = Object.getPrototypeOf(navigator);
  const {get} = Object.getOwnPropertyDescriptor({
    get ml() {
      if (this !== navigator) throw new TypeError('Illegal invocation');
      return ml;
    },
  }, 'ml');
  Object.defineProperty(prototype, 'ml', {get, set: undefined, enumerable: true, configurable: true});
  for (const [name, value] of Object.entries(constructors)) {
    Object.defineProperty(globalThis, name, {value, writable: true, enumerable: false, configurable: true});
  }
}

module.exports = {ML, MLContext, MLGraph, MLGraphBuilder, MLOperand, MLTensor, install, ml};
