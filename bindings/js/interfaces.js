'use strict';
// Shared by all WebIDL interfaces: https://webidl.spec.whatwg.org/#es-interfaces
const {isObject} = require('./idl.js');

// A key that only this library passes to constructors that are illegal to call otherwise.
const internal = Symbol('internal');

function requireInternal(token) {
  if (token !== internal) throw new TypeError('Illegal constructor');
}

const anything = {};

// Objects of an interface have slots: {make(Class, slots), slotsOf(value), which is undefined for others}.
// They are made by a constructor of the language whose objects have an internal slot of their own, so that structuredClone() and
// postMessage() refuse them with a DataCloneError, as all platform objects that are not serializable, instead of copying nothing.
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

// A base of classes with private members, whose objects would be cloned without them: the same as of slotted().
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

// Wraps an operation that returns a promise: its exceptions become rejections.
function promised(steps) {
  try {
    return Promise.resolve(steps());
  } catch (error) {
    return Promise.reject(error);
  }
}

// Gives the members of a class the property attributes of an interface's members.
function finish(Class) {
  for (const [key, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(Class.prototype))) {
    if (key !== 'constructor') Object.defineProperty(Class.prototype, key, {...descriptor, enumerable: true});
  }
  Object.defineProperty(Class.prototype, Symbol.toStringTag, {value: Class.name, configurable: true});
  return Class;
}

module.exports = {finish, internal, promised, requireArguments, requireInternal, requireThis, slotted, Uncloneable};
