// Makes a small checkout for tests of the runner. Its harness has only the functions that the runner and these tests call.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const HARNESS = `
const results = [], completions = [], jobs = [];
const report = (name, status, message = null) => results.forEach((call) => call({name, status, message}));
globalThis.add_result_callback = (call) => results.push(call);
globalThis.add_completion_callback = (call) => completions.push(call);
globalThis.check = (name, run) => jobs.push(async () => {
  try {
    await run();
    report(name, 0);
  } catch (error) {
    report(name, 1, error.message);
  }
});
Promise.resolve().then(async () => {
  for (const job of jobs) await job();
  completions.forEach((call) => call([], {status: 0, message: null}));
});
`;

const PACKAGE = `
export function install() {
  globalThis.navigator ??= {};
  Object.defineProperty(globalThis.navigator, 'ml', {value: {}, configurable: true});
}
`;

/**
 * Writes the files to a new directory, which is deleted after the test.
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string>} files contents by path
 * @returns {{root: string, packageFile: string, path: (name: string) => string}}
 */
export function makeCheckout(t, files) {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'webnn-wpt-'));
  t.after(() => fs.rmSync(root, {recursive: true}));
  for (const [name, text] of Object.entries({'resources/testharness.js': HARNESS, 'package.mjs': PACKAGE, ...files})) {
    fs.mkdirSync(path.dirname(path.join(root, name)), {recursive: true});
    fs.writeFileSync(path.join(root, name), text);
  }
  return {root, packageFile: path.join(root, 'package.mjs'), path: (name) => path.join(root, name)};
}
