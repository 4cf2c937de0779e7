'use strict';
// Encodes requests and decodes replies, which are sequences of little-endian values, as in src/message.h.

const utf8 = new TextEncoder(), text = new TextDecoder('utf-8', {ignoreBOM: true});  // keeps U+FEFF in names
const tags = {absent: 0, boolean: 1, real: 2, integer: 3, unsignedInteger: 4, text: 5, operand: 6, list: 7};

class Writer {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #size = 0;

  // Returns the bytes written so far. Valid until the next write.
  get bytes() { return this.#bytes.subarray(0, this.#size); }

  clear() {
    this.#size = 0;
    return this;
  }
  #grow(size) {
    const at = this.#size;
    this.#size += size;
    if (this.#size > this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#size);
      larger.set(this.#bytes);
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    return at;
  }
  #put(setter, size, value) {
    const at = this.#grow(size);  // may replace #view
    this.#view[setter](at, value, true);
    return this;
  }
  byte(value) { return this.#put('setUint8', 1, Number(value)); }
  word(value) { return this.#put('setUint32', 4, value); }
  real(value) { return this.#put('setFloat64', 8, value); }
  text(value) {
    const encoded = utf8.encode(value);
    this.word(encoded.length);
    const at = this.#grow(encoded.length);
    this.#bytes.set(encoded, at);
    return this;
  }
  words(values) {
    this.word(values.length);
    for (const value of values) this.word(value);
    return this;
  }
  // Writes the five limits; -1 stands for a limit that is not set.
  limits(limits = {}) {
    for (const name of ['maxMemory', 'maxOperations', 'maxElements', 'maxCompileWork', 'maxTime']) this.real(limits[name] ?? -1);
    return this;
  }
  // Writes a field of an operation: an argument or option that js/builder.js has converted.
  field(value) {
    switch (typeof value) {
      case 'undefined': return this.byte(tags.absent);
      case 'boolean': return this.byte(tags.boolean).byte(value);
      case 'number': return this.byte(tags.real).real(value);
      case 'string': return this.byte(tags.text).text(value);
      case 'bigint':
        return this.byte(value < 0n ? tags.integer : tags.unsignedInteger).#put('setBigUint64', 8, BigInt.asUintN(64, value));
      default:
        if (!Array.isArray(value)) return this.byte(tags.operand).word(value.number);
        this.byte(tags.list).word(value.length);
        for (const item of value) this.field(item);
        return this;
    }
  }
}

class Reader {
  #view;
  #at = 0;
  constructor(bytes) { this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength); }
  #take(size) {
    const at = this.#at;
    this.#at += size;
    return at;
  }
  word() { return this.#view.getUint32(this.#take(4), true); }
  real() { return this.#view.getFloat64(this.#take(8), true); }
  text() {
    const size = this.word(), at = this.#view.byteOffset + this.#take(size);
    return text.decode(new Uint8Array(this.#view.buffer, at, size).slice());
  }
  list(readItem) { return Array.from({length: this.word()}, readItem); }
  words() { return this.list(() => this.word()); }
  byte() { return this.#view.getUint8(this.#take(1)); }
  // Reads a value that Writer.field() wrote. `operand(number)` returns the operand with this number.
  field(operand) {
    switch (this.byte()) {
      case tags.boolean: return this.byte() !== 0;
      case tags.real: return this.real();
      case tags.integer: return this.#view.getBigInt64(this.#take(8), true);
      case tags.unsignedInteger: return this.#view.getBigUint64(this.#take(8), true);
      case tags.text: return this.text();
      case tags.operand: return operand(this.word());
      case tags.list: return this.fields(operand);
      default: return undefined;
    }
  }
  fields(operand) { return this.list(() => this.field(operand)); }
  rest() { return new Uint8Array(this.#view.buffer, this.#view.byteOffset + this.#at, this.#view.byteLength - this.#at); }
}

module.exports = {Reader, Writer};
