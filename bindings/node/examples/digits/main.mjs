// Classifies pictures of digits. usage: node main.mjs PICTURE.png...
import fs from 'node:fs';
import {install} from '../../lib/index.mjs';
import {createClassifier} from './classifier.mjs';
import {readPng} from './png.mjs';

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('usage: node main.mjs PICTURE.png...   for instance: node main.mjs ../../../../examples/digits/samples/*.png');
  process.exit(2);
}
install();
const weights = fs.readFileSync(new URL('../../../../examples/digits/digits.safetensors', import.meta.url));
const classify = await createClassifier(weights.buffer.slice(weights.byteOffset, weights.byteOffset + weights.byteLength));
for (const file of files) {
  const {pixels} = readPng(fs.readFileSync(file));
  const probabilities = await classify(pixels);
  const digit = probabilities.indexOf(Math.max(...probabilities));
  console.log(`${file}: ${digit} (${(100 * probabilities[digit]).toFixed(2)} %)`);
}
