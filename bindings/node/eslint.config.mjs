// The configuration of `npm run lint`. It covers lib/js, the copy of bindings/js.
import js from '@eslint/js';

const names = ['AbortController', 'AbortSignal', 'Blob', 'Buffer', 'DOMException', 'MessageChannel', 'MLGraphBuilder', 'Response', 'SharedArrayBuffer', 'TextDecoder',
               'TextEncoder', 'URL', 'clearTimeout', 'console', 'fetch', 'navigator', 'performance', 'process', 'setImmediate', 'setTimeout', 'structuredClone'];
const globals = Object.fromEntries(names.map((name) => [name, 'readonly']));
const commonjs = {__dirname: 'readonly', __filename: 'readonly', module: 'writable', require: 'readonly'};

export default [
  {ignores: ['node_modules/', 'prebuilds/', 'test/bundlers/', 'examples/*/node_modules/', 'test/onnxruntime/node_modules/']},
  js.configs.recommended,
  {
    languageOptions: {ecmaVersion: 2024, globals},
    rules: {
      'eqeqeq': 'error', 'no-shadow': 'error', 'no-var': 'error', 'prefer-const': 'error',
      'no-unused-vars': ['error', {args: 'none', caughtErrors: 'all', ignoreRestSiblings: true}],
      'no-control-regex': 'off',  // messages.js escapes control characters
    },
  },
  {files: ['**/*.js', '**/*.cjs'], languageOptions: {sourceType: 'commonjs', globals: commonjs}},
];
