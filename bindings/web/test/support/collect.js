// Allocates memory until WebKit, which has no gc(), collects garbage.
const takeMemory = () => void new ArrayBuffer(2e8);

export const gc = globalThis.gc ?? globalThis.TestUtils?.gc ?? takeMemory;
