// Bundles the page of `webnn view` into one HTML file. Its content security policy allows only its own script. Called by
// scripts/viewer.sh. usage: bundle.mjs FOLDER (with node_modules)
import {createHash} from 'node:crypto';
import fs from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const folder = path.resolve(process.argv[2]);
const source = path.dirname(fileURLToPath(import.meta.url));
const {buildSync} = createRequire(path.join(folder, 'package.json'))('esbuild');

function bundled(name) {
  const {outputFiles} = buildSync({
    entryPoints: [path.join(source, name)], bundle: true, minify: true, write: false, target: 'es2022', format: 'iife',
    logLevel: 'warning',
  });
  // Escape control characters in string literals, because HTML does not allow them.
  return outputFiles[0].text.trimEnd().replace(/[\x00-\x08\x0b-\x1f\x7f]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const program = bundled('main.js'), style = bundled('style.css');
const policy = `default-src 'none'; script-src ${hashOf(program)}; style-src ${hashOf(style)}; worker-src blob:; img-src data: blob:; base-uri 'none'; form-action 'none'`;
const parts = {POLICY: policy, STYLE: style, PROGRAM: program};
const page = fs.readFileSync(path.join(source, 'page.html'), 'utf8').replace(/@(POLICY|STYLE|PROGRAM)@/g, (_, name) => parts[name]);
if (page.split('@DATA@').length !== 2) throw new Error('page.html: @DATA@ must be there once.');

// Split the page into C++ literals, because compilers limit their length.
const lines = page.match(/[^]{1,12000}/g).map((text) => `R"webnn~(${text})webnn~"`);
fs.writeFileSync(path.join(folder, 'page.html'), page);
fs.writeFileSync(path.join(folder, 'page.inc'), `${lines.join('\n')}\n`);
