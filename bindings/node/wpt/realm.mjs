// Runs one test page. run.mjs starts a process for each page, with the page's description in argv. A page with scope 'worker'
// runs in a worker thread of that process. Messages to the parent: {test} for each subtest, {problem} for an error outside
// subtests, and {harness} at the end.
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import vm from 'node:vm';
import {isMainThread, parentPort, Worker, workerData} from 'node:worker_threads';

import {resolveScript} from './suite.mjs';

const TEST_STATUS = ['PASS', 'FAIL', 'TIMEOUT', 'NOTRUN', 'PRECONDITION_FAILED'];
const HARNESS_STATUS = ['OK', 'ERROR', 'TIMEOUT', 'PRECONDITION_FAILED'];

function send(message) {
  if (isMainThread && process.connected) process.send(message);  // drop messages after the parent has disconnected
  else parentPort?.postMessage(message);
}

/** Evaluates a file as a classic script of the page, so that later scripts see its `const`s. */
function runScript(file) {
  vm.runInThisContext(fs.readFileSync(file, 'utf8'), {filename: file, displayErrors: false});
}

/**
 * Defines globals that idlharness.js needs. The test harness must not see them earlier, because it must choose its "shell"
 * environment.
 */
function installScope(scope) {
  if (scope === 'window') {
    globalThis.window = globalThis;
    globalThis.Window = class Window {};
  } else {
    globalThis.WorkerGlobalScope = class WorkerGlobalScope {
      static [Symbol.hasInstance](value) {
        return value === globalThis;
      }
    };
    globalThis.DedicatedWorkerGlobalScope = class DedicatedWorkerGlobalScope extends globalThis.WorkerGlobalScope {};
    globalThis.WorkerNavigator ??= globalThis.navigator?.constructor;
  }
}

/** Defines the globals of browsers that the tests use and Node.js lacks. */
function installGlobals({root, file, scope, url}) {
  globalThis.self = globalThis;
  globalThis.isSecureContext = true;
  globalThis.crossOriginIsolated = true;  // tests then expect SharedArrayBuffer, which exists
  globalThis.location = new URL(url, 'https://web-platform.test');
  globalThis.GLOBAL = {isWindow: () => scope === 'window', isWorker: () => scope === 'worker', isShadowRealm: () => false};
  globalThis.fetch = async (name) => {
    const found = resolveScript(root, file, String(name));
    return fs.existsSync(found) ? new Response(fs.readFileSync(found)) : new Response(null, {status: 404});
  };
  globalThis.importScripts = (...names) => names.forEach((name) => runScript(resolveScript(root, file, name)));
}

/** Defines functions of newer runtimes that the test suite uses. */
function installPolyfills() {
  ArrayBuffer.prototype.transfer ??= function transfer() {
    return structuredClone(this, {transfer: [this]});
  };
  if (!('detached' in ArrayBuffer.prototype)) {
    Object.defineProperty(ArrayBuffer.prototype, 'detached', {configurable: true, get() {
      try {
        return !new Uint8Array(this);
      } catch {
        return true;
      }
    }});
  }
  Set.prototype.difference ??= function difference(other) {
    return new Set([...this].filter((value) => !other.has(value)));
  };
}

/**
 * Removes Float16Array for an old test suite, which stores float16 in a Uint16Array and needs Float16Array to be undefined
 * while the package is loaded. Returns a function that defines a substitute, for the few tests that create a
 * Float16Array of zeros.
 */
function replaceFloat16Array(root) {
  const utils = path.join(root, 'webnn/resources/utils.js');
  const isBits = fs.existsSync(utils) && /\bfloat16: Uint16Array\b/.test(fs.readFileSync(utils, 'utf8'));
  if (isBits) globalThis.Float16Array = undefined;
  return () => {
    if (isBits) globalThis.Float16Array = class Float16Array extends Uint16Array {};
  };
}

/** Loads the package, the harness and the test. The thread ends when the test does. */
async function runPage({packageFile, ...run}) {
  const tell = (error) => send({problem: `${error?.name}: ${error?.message}\n${error?.stack ?? error}`});
  process.on('uncaughtException', tell);
  process.on('unhandledRejection', tell);
  const restoreFloat16Array = replaceFloat16Array(run.root);
  const {install} = await import(packageFile);
  install();
  restoreFloat16Array();
  installGlobals(run);
  installPolyfills();
  runScript(path.join(run.root, 'resources/testharness.js'));
  installScope(run.scope);
  globalThis.add_result_callback(({name, status, message}) => send({test: {name, status: TEST_STATUS[status], message}}));
  globalThis.add_completion_callback((tests, {status, message}) => {
    send({harness: {status: HARNESS_STATUS[status], message}});
    if (isMainThread) process.disconnect();  // process.exit() would hide handles that the package leaves open
    else parentPort.close();
  });
  try {
    for (const name of run.scripts) runScript(resolveScript(run.root, run.file, name));
    runScript(path.join(run.root, run.file));
  } catch (error) {
    tell(error);  // subtests that were already added still run, as in a browser
  }
}

if (!isMainThread) {
  await runPage(workerData);
} else {
  const run = JSON.parse(process.argv[2]);
  if (run.scope === 'worker') {
    const worker = new Worker(fileURLToPath(import.meta.url), {workerData: run});
    worker.on('message', (message) => send(message));
    worker.on('exit', () => process.connected && process.disconnect());
  } else {
    await runPage(run);
  }
}
