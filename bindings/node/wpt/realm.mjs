// One test page: run by run.mjs in a process of its own with the page's description in argv; a page of scope 'worker' runs in a
// worker thread of that process. Messages to the parent: {test}, one for each subtest, {problem} for what no subtest catches, and
// {harness} at the end.
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import vm from 'node:vm';
import {isMainThread, parentPort, Worker, workerData} from 'node:worker_threads';

import {resolveScript} from './suite.mjs';

const TEST_STATUS = ['PASS', 'FAIL', 'TIMEOUT', 'NOTRUN', 'PRECONDITION_FAILED'];
const HARNESS_STATUS = ['OK', 'ERROR', 'TIMEOUT', 'PRECONDITION_FAILED'];

/** Sends a message to run.mjs. */
function send(message) {
  if (isMainThread && process.connected) process.send(message);  // what is said after the end is not heard
  else parentPort?.postMessage(message);
}

/** Evaluates a file as a classic script of the page: its `const`s are seen by the scripts after it. */
function runScript(file) {
  vm.runInThisContext(fs.readFileSync(file, 'utf8'), {filename: file, displayErrors: false});
}

/** Globals that the test harness must not see before it has taken the shell for its environment, but idlharness.js asks for. */
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

/** What a browser's global has and Node's lacks, as far as the tests use it. */
function installGlobals({root, file, scope, url}) {
  globalThis.self = globalThis;
  globalThis.isSecureContext = true;
  globalThis.crossOriginIsolated = true;  // there is SharedArrayBuffer
  globalThis.location = new URL(url, 'https://web-platform.test');
  globalThis.GLOBAL = {isWindow: () => scope === 'window', isWorker: () => scope === 'worker', isShadowRealm: () => false};
  globalThis.fetch = async (name) => {
    const found = resolveScript(root, file, String(name));
    return fs.existsSync(found) ? new Response(fs.readFileSync(found)) : new Response(null, {status: 404});
  };
  globalThis.importScripts = (...names) => names.forEach((name) => runScript(resolveScript(root, file, name)));
}

/** What newer runtimes have and the suite takes for granted. */
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
 * A suite that keeps float16 in a Uint16Array, as those before Float16Array was common do, sees what a runtime without it has:
 * the package must be loaded meanwhile. The few tests that make a Float16Array, of zeros, get the stand-in.
 */
function replaceFloat16Array(root) {
  const utils = path.join(root, 'webnn/resources/utils.js');
  const isBits = fs.existsSync(utils) && /\bfloat16: Uint16Array\b/.test(fs.readFileSync(utils, 'utf8'));
  if (isBits) globalThis.Float16Array = undefined;
  return () => {
    if (isBits) globalThis.Float16Array = class Float16Array extends Uint16Array {};
  };
}

/** Loads package, harness and test; the test's end ends the thread. */
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
    if (isMainThread) process.disconnect();  // and no process.exit(): handles that the package left open would go unseen
    else parentPort.close();
  });
  try {
    for (const name of run.scripts) runScript(resolveScript(run.root, run.file, name));
    runScript(path.join(run.root, run.file));
  } catch (error) {
    tell(error);  // the subtests before it run, as in a browser
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
