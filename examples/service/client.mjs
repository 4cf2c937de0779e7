// Recognizes digits in a service shared with other programs.
// usage: node client.mjs unix:PATH examples/digits/digits.safetensors
// Each input line is the path of a picture of 28 x 28 pixels; the answer is the digit and its probability. If the service's
// worker process ends, the context is lost, and the program creates a new one.
import fs from 'node:fs';
import readline from 'node:readline';
import {install, ml} from '../../bindings/node/lib/index.mjs';
import {createClassifier} from '../../bindings/node/examples/digits/classifier.mjs';
import {readPng} from '../../bindings/node/examples/digits/png.mjs';

const [service, file] = process.argv.slice(2);
if (!file) {
  console.error('usage: node client.mjs unix:PATH examples/digits/digits.safetensors');
  process.exit(2);
}
install();
const weights = new Uint8Array(fs.readFileSync(file)).buffer;

// Creates everything that is lost with a context.
async function begin() {
  const context = await ml.createContext({service});
  return {context, classify: await createClassifier(weights, context)};
}

let {context, classify} = await begin();
for await (const path of readline.createInterface({input: process.stdin})) {
  const {pixels} = readPng(fs.readFileSync(path));
  let found;
  while (!found) {
    try {
      found = await classify(pixels);
    } catch (error) {
      if (error.name !== 'InvalidStateError') throw error;
      console.log(`lost: ${(await context.lost).message}`);
      ({context, classify} = await begin());
    }
  }
  const best = Math.max(...found);
  console.log(`${found.indexOf(best)} ${best.toFixed(6)}`);
}
