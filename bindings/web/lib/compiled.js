'use strict';
// The compiled module of an address.
async function compiled(url) {
  const response = await fetch(url);
  if (!response.ok) throw new DOMException(`createContext: ${url} cannot be loaded: ${response.status} ${response.statusText}`, 'NetworkError');
  // Of a server that knows no type of .wasm, streams cannot be compiled.
  if (response.headers.get('Content-Type') === 'application/wasm') return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

module.exports = {compiled};
