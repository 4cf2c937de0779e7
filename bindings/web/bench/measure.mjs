// Measures the package in a browser: the time of a tiny dispatch, the frame rate while a graph runs, and the memory of a constant
// of 100 MB.
// usage: npm run measure -- [chromium|firefox] [dispatch|frames|constant ...]
import fs from 'node:fs';
import {fileURLToPath} from 'node:url';

import {launch} from '../test/support/browsers.mjs';
import {runnerPage, runScript} from '../test/support/run.mjs';
import {serve} from '../test/support/server.mjs';

const [name = 'chromium', ...parts] = process.argv.slice(2);
const script = '/bench/page.js';

// Returns the dirty memory of the browser's processes (`root` and its descendants), in bytes.
function memoryOf(root) {
  const parents = new Map();
  for (const pid of fs.readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      parents.set(+pid, +/^PPid:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
    } catch { /* the process has ended */ }
  }
  const isBelow = (pid) => pid === root || (parents.has(pid) && isBelow(parents.get(pid)));
  let bytes = 0;
  for (const pid of [...parents.keys()].filter(isBelow)) {
    try {
      const text = fs.readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
      bytes += 1024 * (+/^Private_Dirty:\s+(\d+)/m.exec(text)[1] + +/^Shared_Dirty:\s+(\d+)/m.exec(text)[1]);
    } catch { /* the process has ended */ }
  }
  return bytes;
}

// Returns the additional memory of the browser's processes as a multiple of the constant's size: before the build, when only the
// page has the elements (`weights`), the peak during the build, and the value after it (`built`).
async function measureConstant(browser, origin) {
  const page = await browser.newPage(), root = browser.process().pid;
  let peak = 0;
  const marks = {};
  await page.exposeFunction('mark', (what) => {
    marks[what] = memoryOf(root);
    if (what === 'weights') peak = 0;
  });
  const timer = setInterval(() => peak = Math.max(peak, memoryOf(root)), 5);
  await page.goto(`${origin}/page?${new URLSearchParams({script, part: 'constant'})}`);
  const {value, error} = await page.evaluate(() => globalThis.finished);
  clearInterval(timer);
  await page.close();
  if (error) throw new Error(error);
  const times = (bytes) => +((bytes - marks.start) / 1e8).toFixed(2);
  return {value, weights: times(marks.weights), peak: times(peak), built: times(marks.built)};
}

const server = await serve({pages: runnerPage, isolated: true, folders: {'/bench/': fileURLToPath(new URL('.', import.meta.url))}});
const browser = await launch(name);
try {
  console.log(await browser.version());
  for (const part of parts.length ? parts : ['dispatch', 'frames', 'constant']) {
    if (part === 'constant') {
      console.log(part, JSON.stringify(await measureConstant(browser, server.origin)));
      continue;
    }
    for (const worker of part === 'frames' ? [true] : [true, false]) {
      const {value} = await runScript(browser, server.origin, script, {part, worker});
      console.log(part, worker ? 'with the worker' : 'without', JSON.stringify(value));
    }
  }
} finally {
  await browser.close();
  server.close();
}
