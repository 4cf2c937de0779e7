// Colours of drawings. White text is readable on operation colours in both themes.
const byFamily = ['#5b6b82', '#2563eb', '#7c3aed', '#0f766e', '#15803d', '#a16207', '#be185d', '#8a4b1f'];
const byKind = {input: '#0e7490', output: '#0e7490', constant: '#57606a', step: '#3f4f8f'};
// [pattern of a step's name, index of the step's colour in byFamily]
const ofSteps = [
  [/conv|gemm|matmul|product|attention|block/i, 1], [/gru|lstm/i, 2], [/norm|softmax/i, 3], [/pool|resample/i, 4], [/reduce|arg|cumulative/i, 5],
  [/quant/i, 6], [/transpose|concat|slice|pad|gather|scatter|copy|split|tile|reverse|expand|reshape|triangular/i, 7],
];

const themes = {
  light: {page: '#f6f8fa', box: '#fff', ink: '#1f2328', pale: '#59636e', line: '#afb8c1', edge: '#8c959f', accent: '#0969da', found: '#d97706', bad: '#cf222e'},
  dark: {page: '#0d1117', box: '#1b222c', ink: '#f0f6fc', pale: '#a5b0bc', line: '#3d4652', edge: '#6e7681', accent: '#58a6ff', found: '#f0b429', bad: '#ff7b72'},
};
// A function, because the worker that loads this module has no matchMedia.
const prefersDark = () => matchMedia('(prefers-color-scheme: dark)');

export const theme = () => document.documentElement.dataset.theme ?? (prefersDark().matches ? 'dark' : 'light');
export const colours = () => themes[theme()];
export const whenThemeChanges = (listener) => prefersDark().addEventListener('change', listener);

export function colourOf(box) {
  if (box.kind === 'operation') return byFamily[box.family];
  if (box.kind !== 'step') return byKind[box.kind];
  const found = ofSteps.find(([pattern]) => pattern.test(box.title));
  return byFamily[found ? found[1] : 0];
}

/**
 * Returns a box's colours {fill, ink, isWhole, differs}. With a scale of measured values, the colours apply to the whole box,
 * else to its head.
 */
export function styleOf(box, scale) {
  if (!scale) return {fill: colourOf(box), ink: '#fff', isWhole: false};
  const measured = box.step === undefined ? scale.ofNode(box.node) : scale.ofStep(box.step);
  if (measured) return {...measured, isWhole: true};
  return {fill: colours().box, ink: colours().pale, isWhole: true};
}
