'use strict';
// Carries out the commands that the page has checked: in a worker of the package's own or, for tests, on the page.
//
// A message is a list of entries {command, request, data, id, fill}: `data` are the bytes that a command writes, `id` asks for an
// answer, {id, error: {kind, message}} or {id, value}. What fails without an id shows where its result is read.
const {CommandError} = require('./engine.js');

class Host {
  #engine;
  #constants = new Map();  // by number, while their bytes arrive: {address, size}
  #answer;

  // `answer(message, transferred)` sends an answer to the page.
  constructor(engine, answer) {
    this.#engine = engine;
    this.#answer = answer;
  }

  receive(entries) {
    for (const entry of entries) this.#receive(entry);
  }

  #receive(entry) {
    if (entry.command !== 'createContext') return this.#complete(entry);
    // Nothing refers to the context before it is answered.
    this.#engine.reserve(entry.threads).then(() => this.#complete(entry), (error) => this.#fail(entry, error))
      .catch((error) => queueMicrotask(() => { throw error; }));
  }

  #fail({id}, {kind, message}) { this.#answer({id, error: {kind, message}}, []); }

  #complete(entry) {
    let value;
    try {
      value = this.#run(entry);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;  // the module has trapped: nothing can be asked of it any more
      if (entry.id !== undefined) this.#fail(entry, error);
      return;
    }
    if (entry.id !== undefined) this.#answer({id: entry.id, value}, value instanceof ArrayBuffer ? [value] : []);
  }

  #run({command, request, data, number, offset}) {
    const engine = this.#engine;
    switch (command) {
      case 'fill': {  // a part of a constant's bytes
        const {address, size} = this.#constants.get(number);
        engine.bytes(address + offset, data.byteLength).set(new Uint8Array(data));
        if (offset + data.byteLength === size) this.#constants.delete(number);
        return undefined;
      }
      case 'constant': {
        const reply = engine.run(command, request);
        reply.text();
        reply.words();
        this.#constants.set(number, {address: reply.word(), size: data});
        return undefined;
      }
      case 'createConstantTensor':
      case 'writeTensor': {
        const address = engine.run(command, request).word();
        engine.bytes(address, data.byteLength).set(new Uint8Array(data));
        return undefined;
      }
      case 'readTensor': {
        const reply = engine.run(command, request);
        return engine.bytes(reply.word(), reply.word()).slice().buffer;
      }
      case 'createContext': {
        const reply = engine.run(command, request);
        return {accelerated: reply.word() !== 0, backend: reply.text()};
      }
      default:
        engine.run(command, request);
        return undefined;
    }
  }
}

module.exports = {Host};
