'use strict';
const fs = process.getBuiltinModule?.('node:fs') ?? require('node:fs');
const path = process.getBuiltinModule?.('node:path') ?? require('node:path');
const {isMainThread} = process.getBuiltinModule?.('node:worker_threads') ?? require('node:worker_threads');
const {platform} = require('./js/platform.js');

const native = require('./binding.js').load();

// Close the addon explicitly, because process.exit() does not run its cleanup hook.
if (isMainThread) process.once('exit', native.close);

// Returns the directory of ONNX Runtime's library in the package onnxruntime-node; '' if it is not installed or has none for this
// platform.
function onnxruntimeFolder() {
  try {
    const bin = path.join(path.dirname(require.resolve('onnxruntime-node/package.json')), 'bin');
    const folders = fs.readdirSync(bin).map((version) => path.join(bin, version, process.platform, process.arch));
    return folders.find((folder) => fs.existsSync(folder)) ?? '';
  } catch {
    return '';
  }
}

// Adds the library of the package onnxruntime-node to the options of an onnxruntime context, unless one is given.
function completed(options) {
  const backendOptions = [...options.backendOptions];
  const isRunning = (options.service || process.env.WEBNN_SERVICE || '').startsWith('unix:');  // the service uses its own library
  const needsLibrary = options.backend === 'onnxruntime' && !options.backendOptions.has('library') &&
                       !process.env.WEBNN_ONNXRUNTIME && !isRunning;
  const library = needsLibrary ? onnxruntimeFolder() : '';
  return {...options, backendOptions: library ? [...backendOptions, ['library', library]] : backendOptions};
}

platform.native = {...native, createContext: (options, id) => native.createContext(completed(options), id)};
