// Runs on the audio thread: sends the microphone's samples to the page in blocks.
class Microphone extends AudioWorkletProcessor {
  #block = new Float32Array(512);
  #filled = 0;

  process([[samples]]) {
    if (!samples) return true;
    this.#block.set(samples, this.#filled);
    this.#filled += samples.length;
    if (this.#filled === this.#block.length) {
      this.port.postMessage(this.#block);  // postMessage copies the block, so it may be reused
      this.#filled = 0;
    }
    return true;
  }
}
registerProcessor('microphone', Microphone);
