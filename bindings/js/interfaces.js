'use strict';
// Helpers for WebIDL interfaces: https://webidl.spec.whatwg.org/#es-interfaces
const {isObject} = require('./idl.js');

// A token that only this library has. Without it, constructors of interfaces that have no constructor in the specification throw
// "Illegal constructor".
const internal = Symbol('internal');

function requireInternal(token) {
  if (token !== internal) throw new TypeError('Illegal constructor');
}

const anything = {};

// Returns {make(Class, slots), slotsOf(value)}: make() creates an object with private slots, and slotsOf() returns them, or
// undefined for other values. The objects are created as WeakRefs, which have an internal slot, so that structuredClone() and
// postMessage() throw a DataCloneError, as for platform objects, instead of copying an empty object.
function slotted() {
  class Slotted extends class { constructor(object) { return object; } } {
    #slots;
    constructor(object, slots) {
      super(object);
      this.#slots = slots;
    }
    static slotsOf(value) {
      return isObject(value) && #slots in value ? value.#slots : undefined;
    }
  }
  return {
    make: (Class, slots) => new Slotted(Reflect.construct(WeakRef, [anything], Class), slots),
    slotsOf: Slotted.slotsOf,
  };
}

// A base class whose instances cannot be cloned (see slotted()), because a clone would lack their private members.
class Uncloneable {
  constructor() { return Reflect.construct(WeakRef, [anything], new.target); }
}

function requireThis(slots) {
  if (slots === undefined) throw new TypeError('Illegal invocation');
  return slots;
}

function requireArguments(count, least, what) {
  if (count < least) throw new TypeError(`${what}: ${least} argument${least > 1 ? 's' : ''} required, but only ${count} present.`);
}

// Calls `steps`, which returns a promise or value. Returns a promise; exceptions become rejections.
function promised(steps) {
  try {
    return Promise.resolve(steps());
  } catch (error) {
    return Promise.reject(error);
  }
}

// Makes a class's members enumerable and sets its toStringTag, as WebIDL requires for interfaces.
function finish(Class) {
  for (const [key, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(Class.prototype))) {
    if (key !== 'constructor') Object.defineProperty(Class.prototype, key, {...descriptor, enumerable: true});
  }
  Object.defineProperty(Class.prototype, Symbol.toStringTag, {value: Class.name, configurable: true});
  return Class;
}

module.exports = {finish, internal, promised, requireArguments, requireInternal, requireThis, slotted, Uncloneable};
