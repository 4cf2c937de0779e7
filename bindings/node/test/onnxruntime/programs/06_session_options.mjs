// Creates sessions with the options of the documentation, and with wrong values of options.
import {existsSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import * as ort from 'onnxruntime-node';

const folder = mkdtempSync(`${tmpdir()}/ort-`), copy = `${folder}/optimized.onnx`, file = `${process.argv[2]}/affine.onnx`;
const all = {
  executionProviders: ['cpu'], intraOpNumThreads: 1, interOpNumThreads: 1, graphOptimizationLevel: 'basic', enableCpuMemArena: true,
  enableMemPattern: false, executionMode: 'sequential', logId: 'me', logSeverityLevel: 4, logVerbosityLevel: 0, optimizedModelFilePath: copy,
  freeDimensionOverrides: {batch: 1}, preferredOutputLocation: 'cpu', extra: {session: {set_denormal_as_zero: '1'}}, enableGraphCapture: false,
};
const run = async (model, options) => {
  const session = await ort.InferenceSession.create(model, options);
  return Array.from((await session.run({x: new ort.Tensor('float32', [1, 2, 3], [1, 3])})).y.data, (v) => v.toFixed(5));
};
console.log(await run(file, all), existsSync(copy), await run(copy, {}));
console.log(await run(file, {executionProviders: [{name: 'cpu', useArena: true}]}));
const wrong = [{graphOptimizationLevel: 'some'}, {executionMode: 'fast'}, {intraOpNumThreads: -1}, {logSeverityLevel: 9}, {logId: 1}, {executionProviders: ['none']},
               {enableMemPattern: 1}, {optimizedModelFilePath: 1}, {preferredOutputLocation: {none: 'cpu'}}, {externalData: 1}, {interOpNumThreads: '1'}];
for (const options of wrong) await run(file, options).then(console.log, (error) => console.log(error.name, error.message));
rmSync(folder, {recursive: true});
