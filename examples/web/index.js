// Shows which features this browser has.
import {byId, element} from './page.js';

const facts = [
  ['WebNN of its own', 'ml' in navigator ? 'yes' : 'no: the package takes its place'],
  ['WebAssembly', typeof WebAssembly === 'object' ? 'yes' : 'no: the package needs it'],
  ['Isolated from other origins (threads)', globalThis.crossOriginIsolated ? 'yes' : 'no'],
  ['Float16Array', typeof globalThis.Float16Array === 'function' ? 'yes' : 'no: float16 is Uint16Array'],
  ['Processors', `${navigator.hardwareConcurrency ?? 'not known'}`],
];
byId('facts').replaceChildren(...facts.map(([name, value]) =>
  element('tr', {}, element('th', {scope: 'row'}, name), element('td', {}, value))));
