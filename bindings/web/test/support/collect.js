// WebKit has no gc(), but collects all when so much memory is taken.
const takeMemory = () => void new ArrayBuffer(2e8);

export const gc = globalThis.gc ?? globalThis.TestUtils?.gc ?? takeMemory;
