'use strict';
// The Web Neural Network API: what the packages for Node.js and for browsers share. https://www.w3.org/TR/webnn/
const {MLGraphBuilder, MLOperand} = require('./builder.js');
const {ML, MLContext, MLGraph, MLTensor} = require('./context.js');
const {internal} = require('./interfaces.js');

const constructors = {ML, MLContext, MLGraph, MLGraphBuilder, MLOperand, MLTensor};
const ml = new ML(internal);

// The object that browser programs know as `navigator`: Node's own since version 21, else a new one.
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

// Puts `ml` on navigator and the constructors on globalThis, where browser programs look for them.
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
