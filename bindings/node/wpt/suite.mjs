// Finds the pages to run in a web-platform-tests checkout: test files, scopes and variants.
import fs from 'node:fs';
import path from 'node:path';

/** The WebNN tests that need no HTML page: directories, or prefixes of file names. */
export const PARTS = ['webnn/conformance_tests', 'webnn/validation_tests', 'webnn/idlharness'];

/** Paths for which wpt's server returns another file. */
const ALIASES = {'/resources/WebIDLParser.js': '/resources/webidl2/lib/webidl2.js'};

/**
 * Parses the META lines at the top of a test, as wpt's server does.
 * @param {string} source text of the test
 * @returns {{script: string[], variant: string[], global: string[], timeout?: string, title?: string}}
 */
export function readMeta(source) {
  const meta = {script: [], variant: [], global: ['window', 'dedicatedworker']};
  for (const line of source.split('\n')) {
    const found = /^\/\/\s*META:\s*(\w+)=(.*?)\s*$/.exec(line);
    if (found) {
      const [, key, value] = found;
      if (key === 'script' || key === 'variant') meta[key].push(value);
      else if (key === 'global') meta.global = value.split(',').map((name) => name.trim());
      else meta[key] = value;
    } else if (line.trim() !== '' && !line.startsWith('//')) {
      break;
    }
  }
  return meta;
}

/** Returns the paths of all *.any.js, *.window.js and *.worker.js in PARTS, sorted, relative to `root`, with `/`. */
export function findTests(root) {
  const isTest = /\.(any|window|worker)\.js$/;
  const found = [];
  for (const part of PARTS) {
    const folder = path.join(root, part);
    if (fs.existsSync(folder)) {
      for (const name of fs.readdirSync(folder, {recursive: true})) found.push(`${part}/${name.split(path.sep).join('/')}`);
    } else if (fs.existsSync(path.dirname(folder))) {
      const prefix = path.basename(part);
      for (const name of fs.readdirSync(path.dirname(folder))) {
        if (name.startsWith(prefix)) found.push(`${path.posix.dirname(part)}/${name}`);
      }
    }
  }
  return found.filter((name) => isTest.test(name)).sort();
}

/** Returns the scopes ('window', 'worker') that the test's name and META lines allow. */
function scopesOf(file, meta) {
  if (file.endsWith('.window.js')) return ['window'];
  if (file.endsWith('.worker.js')) return ['worker'];
  const scopes = [];
  if (meta.global.includes('window')) scopes.push('window');
  if (meta.global.includes('worker') || meta.global.includes('dedicatedworker')) scopes.push('worker');
  return scopes;
}

/**
 * Returns an entry for each page that a browser would load: a test file with a scope and a variant.
 * @param {string} root the checkout
 * @param {{filter?: string, devices?: string[], scopes?: string[]}} options `devices` selects variants for devices (?cpu, ?gpu,
 * ?npu, ?op=add&device=cpu); other variants always run. `filter` is a part of the URL or file name.
 */
export function listRuns(root, {filter = '', devices = ['cpu'], scopes = ['window', 'worker']} = {}) {
  const isWanted = (variant) => {
    const device = /^\?(?:.*&)?(?:device=)?(cpu|gpu|npu)$/.exec(variant)?.[1];
    return device === undefined || devices.includes(device);
  };
  const runs = [];
  for (const file of findTests(root)) {
    const meta = readMeta(fs.readFileSync(path.join(root, file), 'utf8'));
    const variants = meta.variant.length ? meta.variant.filter(isWanted) : [''];
    for (const scope of scopesOf(file, meta).filter((name) => scopes.includes(name))) {
      for (const variant of variants) {
        const page = file.replace(/\.(any|window|worker)\.js$/, (all, kind) => {
          if (kind !== 'any') return `.${kind}.html`;
          return scope === 'worker' ? '.any.worker.html' : '.any.html';
        });
        runs.push({file, scope, variant, url: `/${page}${variant}`, scripts: meta.script, isLong: meta.timeout === 'long'});
      }
    }
  }
  return runs.filter((run) => run.url.includes(filter) || run.file.includes(filter));
}

/**
 * Returns the file that a script= line or fetch() names: relative to the root if the name begins with `/`, else relative to the
 * test.
 */
export function resolveScript(root, testFile, name) {
  const clean = ALIASES[name] ?? name.replace(/[?#].*$/, '');
  const resolved = clean.startsWith('/') ? path.join(root, clean) : path.join(root, path.dirname(testFile), clean);
  const relative = path.relative(root, resolved);
  if (relative.startsWith('..') || path.isAbsolute(relative)) throw new Error(`${testFile}: "${name}" is outside the checkout.`);
  return resolved;
}
