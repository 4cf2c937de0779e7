"""Tasks in Node.js that users of onnxruntime-node, streams, workers, TypeScript and bundlers would try. The first line of an
attempt is a shell command. The lines after it are saved as task.mjs, or as task.mts or task.cjs if the command names that file."""

import models
import numpy as np
from PIL import Image
from task import Outcome, Task, close, shows

QUICK_START = """node task.mjs
import * as ort from 'webnn';
import {readFile} from 'node:fs/promises';

const session = await ort.InferenceSession.create('./cnn.onnx');
const file = await readFile('image.bin');
const input = new ort.Tensor('float32', new Float32Array(file.buffer, file.byteOffset, file.byteLength / 4), [1, 3, 8, 8]);
const results = await session.run({[session.inputNames[0]]: input});
console.log(JSON.stringify(Array.from(results.logits.data)));
"""

COMMON_JS = """node task.cjs
const ort = require('webnn');

async function main() {
  const session = await ort.InferenceSession.create('./detector.onnx', {executionProviders: ['cpu']});
  const scores = new ort.Tensor('float32', [0.9, 0.2, 0.7, 0.6], [4]);
  const valid = new ort.Tensor('bool', [true, true, false, true], [4]);
  const {keep} = await session.run({scores, valid});
  console.log(keep.type);
  console.log(JSON.stringify(Array.from(keep.data)));
  await session.release();
}
main();
"""

IDS = """node task.mjs
import ort from 'webnn';

const session = await ort.InferenceSession.create('tokens.onnx');
const ids = new ort.Tensor('int64', [1, 7, 42, 2], [1, 4]);
const mask = new ort.Tensor('int64', [1, 1, 1, 0], [1, 4]);
const {embedding} = await session.run({input_ids: ids, attention_mask: mask, token_type_ids: mask});
console.log(JSON.stringify(Array.from(embedding.data)));
"""

PIXELS = """node task.mjs
import {InferenceSession, Tensor} from 'webnn';
import {readFileSync} from 'node:fs';

const session = await InferenceSession.create(readFileSync('cnn.onnx'));
const pixels = readFileSync('small.rgb');  // rows of RGB, as sharp's raw() gives them
const input = new Tensor('float32', pixels, [1, 8, 8, 3]);
const {logits} = await session.run({image: input});
console.log(JSON.stringify(Array.from(logits.data)));
"""
PIXELS_FLOAT = PIXELS.replace("pixels, [", "Float32Array.from(pixels), [")
PIXELS_NAMED = PIXELS_FLOAT.replace("{image: input}", "{input}")
PIXELS_PLANES = PIXELS_NAMED.replace(
    "Float32Array.from(pixels), [1, 8, 8, 3]",
    "Float32Array.from(pixels, (_, i) => pixels[(i % 64) * 3 + Math.floor(i / 64)]), [1, 3, 8, 8]",
)

OTHER_LANGUAGE = """webnn convert linear.onnx linear.webnn && node task.mjs
import {load} from 'webnn';

const graph = await load('linear.webnn');
console.log(graph.inputs);
const {y} = await graph.run({x: [0.5, -0.25, 0.125, 1]});
console.log(JSON.stringify(Array.from(y)));
"""

WORKER = """node task.mjs
import {Worker, isMainThread, parentPort, workerData} from 'node:worker_threads';
import {InferenceSession, Tensor} from 'webnn';

if (isMainThread) {
  const session = await InferenceSession.create('cnn.onnx');
  const worker = new Worker(new URL(import.meta.url), {workerData: session});
  worker.on('message', (data) => console.log(JSON.stringify(Array.from(data))));
} else {
  const session = workerData;
  const {logits} = await session.run({input: new Tensor('float32', new Float32Array(192).fill(0.5), [1, 3, 8, 8])});
  parentPort.postMessage(logits.data, [logits.data.buffer]);
}
"""
WORKER_PATH = (
    WORKER.replace("  const session = await InferenceSession.create('cnn.onnx');\n", "")
    .replace("workerData: session", "workerData: 'cnn.onnx'")
    .replace("= workerData;", "= await InferenceSession.create(workerData);")
)

ABORT = """node task.mjs
import {ml, MLGraphBuilder, load} from 'webnn';

const context = await ml.createContext();
const builder = new MLGraphBuilder(context);
const x = builder.input('x', {dataType: 'float32', shape: [1024, 1024]});
let y = x;
for (let i = 0; i < 2000; i++) y = builder.matmul(y, x);  // minutes
const graph = await builder.build({y});
const controller = new AbortController();
setTimeout(() => controller.abort(), 20);
const zeros = new Float32Array(1024 * 1024);
await graph.run({x: zeros}, {signal: controller.signal}).catch((error) => console.log(error.name));
await graph.run({x: zeros}, {signal: AbortSignal.timeout(20)}).catch((error) => console.log(error.name));
await load(context, 'linear.onnx', {signal: AbortSignal.abort()}).catch((error) => console.log(error.name));
"""

TYPESCRIPT = """tsc --strict --target es2022 --module nodenext --skipLibCheck --types '' task.mts && node task.mjs
import { InferenceSession, Tensor } from 'webnn';

declare const console: { log(text: string): void };

async function scores(session: InferenceSession, pixels: Float32Array): Promise<Float32Array> {
  const feeds: Record<string, Tensor> = {};
  feeds[session.inputNames[0]] = new Tensor('float32', pixels, [1, 3, 8, 8]);
  const results: InferenceSession.OnnxValueMapType = await session.run(feeds);
  return results[session.outputNames[0]].data as Float32Array;
}

const options: InferenceSession.SessionOptions = { executionProviders: ['cpu'], intraOpNumThreads: 1, graphOptimizationLevel: 'all' };
const session = await InferenceSession.create('./cnn.onnx', options);
console.log(JSON.stringify(Array.from(await scores(session, new Float32Array(192).fill(0.5)))));
"""

BUNDLE = """esbuild task.mjs --bundle --platform=node --format=esm --log-level=error --outfile=out/task.mjs && node out/task.mjs
import {InferenceSession, Tensor} from 'webnn';

const session = await InferenceSession.create('cnn.onnx');
const {logits} = await session.run({input: new Tensor('float32', new Float32Array(192).fill(0.5), [1, 3, 8, 8])});
console.log(JSON.stringify(Array.from(logits.data)));
"""

SERVER = """node task.mjs
import {createServer} from 'node:http';
import {InferenceSession, Tensor} from 'webnn';

const session = await InferenceSession.create('cnn.onnx');
const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  try {
    const values = new Float32Array(body.buffer, body.byteOffset, body.length / 4);
    const {logits} = await session.run({input: new Tensor('float32', values, [body.length / 768, 3, 8, 8])});
    response.end(JSON.stringify(Array.from(logits.data)));
  } catch (error) {
    response.writeHead(400).end(error.message);
  }
});
server.listen(0, '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${server.address().port}/`;
  const bad = await fetch(url, {method: 'POST', body: 'hello'});
  console.log(bad.status, await bad.text());
  const answers = await Promise.all(Array.from({length: 20}, async (_, i) => {
    const response = await fetch(url, {method: 'POST', body: new Float32Array((1 + i % 3) * 192).fill(i / 20)});
    return response.json();
  }));
  console.log(JSON.stringify(answers.flat()));
  server.close();
});
"""


def expect_half(outcome: Outcome) -> None:
    close(outcome.numbers(), models.logits_of(np.full((1, 3, 8, 8), 0.5))[0])


def expect_mask(outcome: Outcome) -> None:
    assert outcome.output.startswith("bool\n")
    close(outcome.numbers(), [1, 0, 0, 1])


def expect_pixels(outcome: Outcome) -> None:
    pixels = np.asarray(Image.open(outcome.folder / "small.png"))
    close(outcome.numbers(), models.logits_of(pixels.transpose(2, 0, 1)[None])[0])


def expect_answers(outcome: Outcome) -> None:
    assert outcome.output.startswith("400 Tensor: ")
    expected = [models.logits_of(np.full((1 + i % 3, 3, 8, 8), np.float32(i / 20))) for i in range(20)]
    close(outcome.numbers(), np.concatenate([rows.ravel() for rows in expected]))


TASKS = [
    Task(
        "the quick start of onnxruntime-node",
        [QUICK_START],
        [],
        lambda outcome: close(outcome.numbers(), models.logits_of(np.load(outcome.folder / "image.npy"))[0]),
    ),
    Task("CommonJS and masks", [COMMON_JS], [], expect_mask),
    Task(
        "token ids",
        [IDS],
        [],
        lambda outcome: close(outcome.numbers(), models.embedding_of(np.array([[1, 7, 42, 2]]), np.array([[1, 1, 1, 0]]))[0]),
    ),
    Task(
        "pixels in a Buffer",
        [PIXELS, PIXELS_FLOAT, PIXELS_NAMED, PIXELS_PLANES],
        [
            r"Buffer, not Float32Array: Float32Array\.from\(data\)",
            r"the inputs are 'input'",
            r"is \[1, 8, 8, 3\], not \[batch, 3, 8, 8\]",
        ],
        expect_pixels,
    ),
    Task(
        "a graph of another language",
        [OTHER_LANGUAGE],
        [],
        lambda outcome: close(outcome.numbers(), models.linear_of(np.array([0.5, -0.25, 0.125, 1]))),
    ),
    Task("run in a worker", [WORKER, WORKER_PATH], [r"DataCloneError.*InferenceSession> could not be cloned"], expect_half),
    Task("give up after a while", [ABORT], [], shows(r"^AbortError\nTimeoutError\nAbortError\n$")),
    Task("TypeScript", [TYPESCRIPT], [], expect_half),
    Task(
        "bundle a program",
        [BUNDLE, BUNDLE.replace("--bundle", "--bundle --external:webnn")],
        [r"of a program that a bundler makes, mark the package 'webnn' as external"],
        expect_half,
    ),
    Task("a server", [SERVER], [], expect_answers),
]
