// Allocates memory to make WebKit, which has no gc(), collect garbage.
const takeMemory = () => void new ArrayBuffer(2e8);

export const gc = globalThis.gc ?? globalThis.TestUtils?.gc ?? takeMemory;
