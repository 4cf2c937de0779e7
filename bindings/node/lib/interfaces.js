'use strict';
// What all interfaces of WebIDL have in common: https://webidl.spec.whatwg.org/#es-interfaces

// What the library itself passes to the constructor of an interface that has none for others.
const internal = Symbol('internal');

function requireInternal(token) {
  if (token !== internal) throw new TypeError('Illegal constructor');
}

function requireThis(slots) {
  if (slots === undefined) throw new TypeError('Illegal invocation');
  return slots;
}

function requireArguments(count, least, what) {
  if (count < least) throw new TypeError(`${what}: ${least} argument${least > 1 ? 's' : ''} required, but only ${count} present.`);
}

// What an operation that returns a promise does: its exceptions are rejections.
function promised(steps) {
  try {
    return Promise.resolve(steps());
  } catch (error) {
    return Promise.reject(error);
  }
}

// Gives the members of a class the attributes that those of an interface have.
function finish(Class) {
  for (const [key, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(Class.prototype))) {
    if (key !== 'constructor') Object.defineProperty(Class.prototype, key, {...descriptor, enumerable: true});
  }
  Object.defineProperty(Class.prototype, Symbol.toStringTag, {value: Class.name, configurable: true});
  return Class;
}

module.exports = {finish, internal, promised, requireArguments, requireInternal, requireThis};
