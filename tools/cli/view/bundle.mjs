// Makes the page: one HTML file whose policy allows only its own program. For scripts/viewer.sh. usage: bundle.mjs FOLDER (with
// node_modules)
import {createHash} from 'node:crypto';
import fs from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const folder = path.resolve(process.argv[2]);
const source = path.dirname(fileURLToPath(import.meta.url));
const {buildSync} = createRequire(path.join(folder, 'package.json'))('esbuild');

// Packages copied into the page, with the notices that their licences require.
const notices = ['@dagrejs/dagre', '@dagrejs/graphlib']
  .map((name) => `${name}\n\n${fs.readFileSync(path.join(folder, 'node_modules', name, 'LICENSE'), 'utf8').trim()}`).join('\n\n');

function bundled(name, banner = {}) {
  const {outputFiles} = buildSync({
    entryPoints: [path.join(source, name)], bundle: true, minify: true, write: false, target: 'es2022', format: 'iife',
    nodePaths: [path.join(folder, 'node_modules')], legalComments: 'none', banner, logLevel: 'warning',
  });
  // Control characters, which stand in literals, have no place in a document.
  return outputFiles[0].text.trimEnd().replace(/[\x00-\x08\x0b-\x1f\x7f]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const program = bundled('main.js', {js: `/*\n${notices.replaceAll('*/', '* /')}\n*/`}), style = bundled('style.css');
const policy = `default-src 'none'; script-src ${hashOf(program)}; style-src ${hashOf(style)}; worker-src blob:; img-src data: blob:; base-uri 'none'; form-action 'none'`;
const parts = {POLICY: policy, STYLE: style, PROGRAM: program};
const page = fs.readFileSync(path.join(source, 'page.html'), 'utf8').replace(/@(POLICY|STYLE|PROGRAM)@/g, (_, name) => parts[name]);
if (page.split('@DATA@').length !== 2) throw new Error('page.html: @DATA@ must be there once.');

// Splits into C++ literals short enough for compilers.
const lines = page.match(/[^]{1,12000}/g).map((text) => `R"webnn~(${text})webnn~"`);
fs.writeFileSync(path.join(folder, 'page.html'), page);
fs.writeFileSync(path.join(folder, 'page.inc'), `${lines.join('\n')}\n`);
