// Copies bindings/js to lib/js and builds the addon in prebuilds/PLATFORM-ARCH/. Builds for this system, or for another system
// that the first argument names, such as --platform=linux-arm64. All other arguments, for instance
// -DWEBNN_SANITIZE=address,undefined, are passed to CMake's configuration. For another system, they must name its toolchain.
import {execFileSync} from 'node:child_process';
import {cpSync, rmSync} from 'node:fs';
import {availableParallelism} from 'node:os';
import {fileURLToPath} from 'node:url';
import path from 'node:path';
import binding from '../lib/binding.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const [, platform] = /^--platform=(\w+-\w+)$/.exec(process.argv[2]) ?? [];
const options = process.argv.slice(platform ? 3 : 2);
const own = path.dirname(binding.file), prebuilt = platform ? path.join(own, '..', platform) : own;
const folder = path.join(root, 'build', platform ? `node-${platform}` : options.length ? 'node-custom' : 'node');
const run = (...args) => execFileSync('cmake', args, {stdio: 'inherit'});

// npm packs only files of the package's own directory.
const copy = path.join(root, 'bindings/node/lib/js');
rmSync(copy, {recursive: true, force: true});
cpSync(path.join(root, 'bindings/js'), copy, {recursive: true});

run('-S', root, '-B', folder, '-G', 'Ninja', '-DCMAKE_BUILD_TYPE=Release', '-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG',
    '-DWEBNN_BUILD_NODE=ON', '-DWEBNN_BUILD_CLI=OFF', '-DWEBNN_BUILD_TESTS=OFF', ...options);
const hasService = !options.includes('-DWEBNN_SERVICE=OFF') && process.platform === 'linux';
run('--build', folder, '--target', 'webnn_node', ...(hasService ? ['webnn_service'] : []), '--parallel',
    process.env.JOBS ?? String(availableParallelism()));
rmSync(prebuilt, {recursive: true, force: true});
run('--install', folder, '--component', 'node', '--strip', '--prefix', prebuilt);
