// Runs the programs in a directory with the Node.js package webnn, and saves each graph: run_programs.mjs PACKAGE FOLDER
import fs from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

const [packageFolder, folder] = process.argv.slice(2);
const {ml, MLGraphBuilder, save} = createRequire(import.meta.url)(packageFolder);
const context = await ml.createContext({backend: 'reference'});
for (const file of fs.readdirSync(folder).filter((name) => name.endsWith('.mjs'))) {
  const stem = path.join(folder, path.parse(file).name);
  const program = await import(pathToFileURL(path.join(folder, file)));
  const weights = fs.existsSync(`${stem}.safetensors`) ? fs.readFileSync(`${stem}.safetensors`) : undefined;
  await save(await program.build(context, weights, MLGraphBuilder), `${stem}.js.json`, {weights: 'inline'});
}
