'use strict';
// A least-recently-used cache of a session's graphs. The key is the input shapes that a graph is compiled for.
const {whenAborted, withResolvers} = require('./native.js');

class GraphCache {
  #entries = new Map();  // keyed by shapes, least recently used first: {compiling, isDone, users, controller}
  #most;
  #compile;

  // `compile(shapes, signal)` returns a promise of a graph.
  constructor(most, compile) {
    this.#most = Math.max(most, 1);
    this.#compile = compile;
  }

  // Returns the graph for these shapes. Concurrent calls for the same shapes share one compilation. A signal rejects only its own
  // call; the compilation is aborted when no call waits for it any more.
  async get(shapes, signal) {
    const key = JSON.stringify(shapes), entry = this.#entries.get(key) ?? this.#begin(shapes);
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    ++entry.users;
    const left = withResolvers(), forget = signal && whenAborted(signal, () => left.reject(signal.reason));
    try {
      return await Promise.race([entry.compiling, left.promise]);
    } catch (error) {
      if (this.#entries.get(key) === entry && (entry.isDone || entry.users === 1)) this.#entries.delete(key);
      if (entry.users === 1) entry.controller.abort();
      throw error;
    } finally {
      --entry.users;
      forget?.();
      this.#trim();
    }
  }

  has(shapes) { return this.#entries.has(JSON.stringify(shapes)); }

  #begin(shapes) {
    const controller = new AbortController(), entry = {controller, users: 0, isDone: false};
    entry.compiling = this.#compile(shapes, controller.signal).finally(() => { entry.isDone = true; });
    entry.compiling.catch(() => {});  // avoid an unhandled rejection if no call waits any more
    return entry;
  }

  #trim() {
    for (const [key, {users}] of this.#entries) {
      if (this.#entries.size <= this.#most) return;
      if (users === 0) this.#entries.delete(key);
    }
  }

  clear() { this.#entries.clear(); }
  get size() { return this.#entries.size; }
}

module.exports = {GraphCache};
