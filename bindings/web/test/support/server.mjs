import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const types = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm',
  '.json': 'application/json', '.idl': 'text/plain; charset=utf-8',
};
const isolation = {'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp'};

/** A strict Content-Security-Policy under which the package must work. */
export const strictPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'";

// Returns {type, body} for a file in a directory; undefined if it is missing or outside the directory.
function fileOf(folder, name) {
  const file = path.join(folder, name);
  if (!file.startsWith(path.join(folder, '/')) || !fs.statSync(file, {throwIfNoEntry: false})?.isFile()) return undefined;
  return {type: types[path.extname(file)] ?? 'application/octet-stream', body: fs.readFileSync(file)};
}

/**
 * Serves /dist/ (the package), /test/ (the tests), `folders` and `pages` on loopback.
 * @param {object} options `folders`: {prefix: folder}; `pages`: (URL) => {type, body} or undefined, called first; `isolated`: with COOP
 *     and COEP; `policy`: a Content-Security-Policy; `headers`: further response headers; `types`: {path: MIME type} of files;
 *     `isMissing`: (path, request's headers) => whether to answer 404
 * @returns {Promise<{origin: string, close: () => void}>}
 */
export async function serve({folders = {}, pages = () => undefined, isolated = false, policy, headers = {}, types: given = {}, isMissing = () => false} = {}) {
  const all = {'/dist/': path.join(root, 'dist'), '/test/': path.join(root, 'test'), ...folders};
  const others = {
    ...(isolated ? isolation : {}), ...(policy ? {'Content-Security-Policy': policy} : {}), 'Cache-Control': 'no-store', ...headers,
  };
  const server = http.createServer((request, response) => {
    const url = new URL(request.url, 'http://localhost');
    const name = decodeURIComponent(url.pathname);
    const prefix = Object.keys(all).find((each) => name.startsWith(each));
    const found = pages(url) ?? (prefix && !isMissing(name, request.headers) ? fileOf(all[prefix], name.slice(prefix.length)) : undefined);
    response.writeHead(found ? 200 : 404, {'Content-Type': given[name] ?? found?.type ?? 'text/plain', ...others});
    response.end(found?.body ?? `${name} is not there\n`);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://localhost:${server.address().port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
