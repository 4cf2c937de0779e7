// Packs the npm packages into dist: `webnn`, `webnn-onnxruntime-node`, and one with the addon for each platform in
// bindings/node/prebuilds (`npm run build` makes linux-x64). npm installs only the addon for the user's platform. No package runs
// a script at installation.
import {execFileSync} from 'node:child_process';
import {cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const source = path.join(root, 'bindings/node'), staging = path.join(root, 'build/npm-packages'), dist = path.join(root, 'dist');
const manifest = JSON.parse(readFileSync(path.join(source, 'package.json'), 'utf8'));
const {version, license, engines} = manifest;
const platforms = readdirSync(path.join(source, 'prebuilds'));

function pack(name, contents, write) {
  const folder = path.join(staging, name.replace('/', '-'));
  rmSync(folder, {recursive: true, force: true});
  mkdirSync(folder, {recursive: true});
  write(folder);
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({name, ...contents}, undefined, 2) + '\n');
  cpSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  const [{filename, size, unpackedSize}] = JSON.parse(execFileSync('npm', ['pack', folder, '--json', '--pack-destination', dist], {encoding: 'utf8'}));
  console.log(`dist/${filename}: ${(size / 1e6).toFixed(2)} MB, ${(unpackedSize / 1e6).toFixed(2)} MB installed`);
}

mkdirSync(dist, {recursive: true});
for (const platform of platforms) {
  const [os, cpu] = platform.split('-'), name = `@libwebnn/${platform}`;
  pack(name, {
    version, description: `The native part of the package webnn for ${platform}`, license, os: [os], cpu: [cpu],
    ...(os === 'linux' ? {libc: ['glibc']} : {}), engines, preferUnplugged: true, files: ['*'],
  }, (folder) => {
    cpSync(path.join(source, 'prebuilds', platform), folder, {recursive: true});
    writeFileSync(path.join(folder, 'README.md'), `# ${name}\n\nThe native part of the npm package [webnn](https://www.npmjs.com/package/webnn) for ${platform}.\n`);
  });
}
const {scripts, devDependencies, ...shown} = manifest;
pack('webnn', {
  ...shown, files: manifest.files.filter((file) => file !== 'prebuilds/'),
  optionalDependencies: Object.fromEntries(platforms.map((platform) => [`@libwebnn/${platform}`, version])),
}, (folder) => {
  for (const name of ['lib', 'index.d.ts', 'webnn.d.ts', 'README.md']) cpSync(path.join(source, name), path.join(folder, name), {recursive: true});
});
const alias = path.join(source, 'onnxruntime-node'), {name: aliasName, ...aliasManifest} = JSON.parse(readFileSync(path.join(alias, 'package.json'), 'utf8'));
pack(aliasName, aliasManifest, (folder) => {
  for (const name of ['lib', 'index.d.ts', 'README.md']) cpSync(path.join(alias, name), path.join(folder, name), {recursive: true});
});
