// Fails if the addon is not built. npm runs this before it packs the package.
import {existsSync} from 'node:fs';
import binding from '../lib/binding.js';

if (!existsSync(binding.file)) {
  console.error(`${binding.file} does not exist: run \`npm run build\` first.`);
  process.exit(1);
}
