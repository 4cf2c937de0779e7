'use strict';
// Executes commands that the page has already checked, in the package's worker or, after configure({worker: false}), on the page.
// A message is a list of entries {command, request, data, id, stop, builder}. `data` contains the bytes that the command writes;
// for `constant`, it is only how many bytes the later `fill` entries bring. An entry with an `id` is answered with
// {id, error: {kind, message}} or {id, value}. An error of an entry without an id is reported when its result is read or, if it
// has a `builder`, by build().
const {CommandError} = require('./engine.js');

const longestTurn = 5;  // after this many milliseconds of work, handle new messages, which may stop waiting entries
// Buffers of writes are sent back for reuse if they have at least leastSpent bytes; at most mostSpare bytes in total.
const leastSpent = 64 << 10, mostSpare = 16 << 20;

// Returns a copy of bytes in the module's memory.
function copyOf(bytes, command) {
  try {
    return bytes.slice().buffer;
  } catch {  // slice() throws a RangeError
    throw new CommandError('UnknownError', `${command}: there is not enough memory for ${bytes.length} bytes.`);
  }
}

class Host {
  #engine;
  // Keyed by the builder's number: {failure, constants}: the first error, and {address, total} of constants whose bytes are still
  // arriving, keyed by the constant's number.
  #builders = new Map();
  #stopped = new Set();  // the `stop` numbers of cancelled calls
  #waiting = [];
  #isWorking = false;
  #spent = [];  // buffers of writes, sent back with the next answer
  #answer;
  #fail;
  #loading;  // a promise while threads are starting

  // `answer(message, transferred)` sends an answer to the page. `fail(error)` reports that no more answers follow.
  constructor(engine, answer, fail) {
    this.#engine = engine;
    this.#answer = answer;
    this.#fail = fail;
  }

  // Takes a message. Entries are executed in order, except that stops and destroyed contexts take effect before waiting entries.
  receive(entries) {
    try {
      for (const entry of entries) {
        if (entry.command === 'stop') this.#stopped.add(entry.stop);
        if (entry.command === 'destroyContext') {
          this.#take(entry);
        } else {
          this.#waiting.push(entry);
        }
      }
    } catch (error) {
      this.#fail(error);
    }
    if (!this.#isWorking) this.#work();
  }

  #work() {
    const entries = this.#waiting, until = performance.now() + longestTurn;
    const isReady = ({command}) => !this.#loading || command !== 'build';  // building needs started threads
    try {
      let done = 0;
      while (done < entries.length && isReady(entries[done]) && (done === 0 || performance.now() < until)) this.#take(entries[done++]);
      this.#waiting = entries.slice(done);
    } catch (error) {  // the module trapped and is unusable
      this.#waiting = [];
      this.#fail(error);
    }
    this.#isWorking = this.#waiting.length > 0;
    if (!this.#isWorking) return;
    if (!isReady(this.#waiting[0])) return void this.#loading.then(() => this.#work());
    const {port1, port2} = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      this.#work();
    };
    port2.postMessage(null);
  }

  #take(entry) {
    this.#complete(entry);
    if (entry.command !== 'createContext') return;
    const loading = this.#loading = Promise.all([this.#loading, this.#engine.reserve(entry.threads)]).then(() => {
      if (this.#loading === loading) this.#loading = undefined;
    });
  }

  #reply(message, transferred) {
    const spent = this.#spent;
    this.#spent = [];
    this.#answer(spent.length > 0 ? {...message, spent} : message, [...transferred, ...spent]);
  }

  #complete(entry) {
    const {command, request, id, builder, stop} = entry;
    if (this.#stopped.has(stop)) {
      if (command === 'stop') return void this.#stopped.delete(stop);  // entries that this stop applies to have all been taken
      request[request.length - 1] = 1;
    }
    if (command === 'createBuilder') this.#builders.set(builder, {failure: undefined, constants: new Map()});
    if (command === 'releaseBuilder') this.#builders.delete(builder);
    const state = this.#builders.get(builder);
    let value;
    try {
      if (state?.failure) throw state.failure;
      value = this.#run(entry, state?.constants);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      if (id !== undefined) {
        this.#reply({id, error: {kind: error.kind, message: error.message}}, []);
      } else if (state) {
        state.failure ??= error;
      }
      return;
    }
    if (id !== undefined) this.#reply({id, value}, value instanceof ArrayBuffer ? [value] : []);
  }

  // Copies a transferred buffer into the module's memory and frees the buffer immediately, without waiting for garbage
  // collection.
  #fill(address, data) {
    this.#engine.bytes(address, data.byteLength).set(new Uint8Array(data));
    data.transfer?.(0);
  }

  // Does the same as #fill(), but keeps large buffers, to send them back to the page for reuse.
  #write(address, data) {
    const kept = this.#spent.reduce((total, {byteLength}) => total + byteLength, data.byteLength);
    if (data.byteLength < leastSpent || kept > mostSpare) return this.#fill(address, data);
    this.#engine.bytes(address, data.byteLength).set(new Uint8Array(data));
    this.#spent.push(data);
  }

  #run({command, request, data, number, offset, size}, constants) {
    const engine = this.#engine;
    switch (command) {
      case 'fill': {  // a part of the bytes of a constant
        const {address, total} = constants.get(number);
        if (offset + size === total) constants.delete(number);
        engine.bytes(address + offset, size).set(new Uint8Array(data, 0, size));
        return data;
      }
      case 'constant': {
        const reply = engine.run(command, request);
        reply.text();
        reply.words();
        constants.set(number, {address: reply.word(), total: data});
        return undefined;
      }
      case 'createConstantTensor':
        return this.#fill(engine.run(command, request).word(), data);
      case 'writeTensor':
        return this.#write(engine.run(command, request).word(), data);
      case 'readTensor': {
        const reply = engine.run(command, request);
        return copyOf(engine.bytes(reply.word(), reply.word()), command);
      }
      case 'createContext':
        return {accelerated: engine.run(command, request).word() !== 0};
      case 'statistics':
        return {...engine.statistics(), followed: this.#builders.size};
      default:
        return void engine.run(command, request);
    }
  }
}

module.exports = {Host, mostSpare};
