// Converts measured values (times, differences) to colours.
import {theme} from './colours.js';
import {cut} from './model.js';

// Colours (red, green, blue) from low to high values.
const scales = {
  light: [[255, 247, 236], [254, 224, 176], [253, 187, 110], [244, 128, 60], [214, 65, 36], [150, 12, 20]],
  dark: [[33, 40, 51], [78, 48, 43], [132, 60, 34], [196, 88, 26], [242, 145, 45], [255, 218, 120]],
};

/** Returns the colours for a value from 0 to 1: the fill, and readable text on it. */
export function heatColour(share) {
  const scale = scales[theme()];
  const at = Math.min(Math.max(share, 0), 1) * (scale.length - 1), low = Math.min(Math.floor(at), scale.length - 2);
  const [red, green, blue] = scale[low].map((value, i) => Math.round(value + (scale[low + 1][i] - value) * (at - low)));
  const isBright = 0.299 * red + 0.587 * green + 0.114 * blue > 110;
  return {fill: `rgb(${red},${green},${blue})`, ink: isBright ? '#1f2328' : '#f0f6fc'};
}

const microseconds = (value) => (value >= 1000 ? `${(value / 1000).toPrecision(3)} ms` : `${value.toPrecision(3)} µs`);
const relative = (value) => (value === 0 ? 'equal' : value === 'Infinity' || !Number.isFinite(value) ? '∞' : value.toExponential(1));
const percent = (share) => `${(100 * share).toPrecision(share < 0.1 ? 2 : 3)} %`;

// Colours for times. The longest step gets the last colour.
function timeScale(heat, matches, data) {
  const total = heat.steps.reduce((sum, time) => sum + time, 0), most = heat.steps.reduce((a, b) => Math.max(a, b), 0);
  const colourOf = (time) => heatColour(most > 0 ? Math.sqrt(time / most) : 0);
  const timeOf = (steps) => Math.max(...steps.map((step) => heat.steps[step]));
  const ofStep = (step) => ({...colourOf(heat.steps[step]), text: `${microseconds(heat.steps[step])}, ${percent(total > 0 ? heat.steps[step] / total : 0)}`});
  return {
    name: 'Time', title: `Time: ${microseconds(total)} in ${heat.steps.length} steps`, ends: ['0', microseconds(most)],
    ofStep,
    ofNode(node) {
      const steps = matches.stepsOf(node);
      if (steps.length === 0) return undefined;
      const slowest = steps.find((step) => heat.steps[step] === timeOf(steps));
      const shared = steps.some((step) => matches.nodesOf(step).length > 1);
      return {...ofStep(slowest), text: `${ofStep(slowest).text}${shared ? ' (with others)' : ''}`};
    },
    slowest: heat.steps.map((time, step) => ({step, time})).sort((a, b) => b.time - a.time).slice(0, 10)
      .map(({step}) => ({step, name: data.compiled.steps[step].name, text: ofStep(step).text})),
  };
}

// Colours for differences, on a logarithmic scale from 1e-8 to 1.
function differenceScale(heat, matches, data) {
  const numbers = new Map();
  data.nodes.filter((node) => node.kind === 'operation').forEach((node, i) => numbers.set(node, heat.operations[i]));
  const shareOf = (value) => (value === 'Infinity' ? 1 : value <= 0 ? 0 : Math.min(Math.max((Math.log10(value) + 8) / 8, 0.05), 1));
  const ofNode = (node) => {
    const found = numbers.get(data.nodes[node]);
    return found && {...heatColour(shareOf(found.relative)), differs: !found.agrees, text: `${relative(found.relative)}${found.agrees ? '' : ' differs'}`, found};
  };
  return {
    name: `Difference: ${cut(heat.backend)}`, title: `${cut(heat.backend)} against ${cut(heat.trusted)}, relative`, ends: ['equal', '1'],
    ofNode,
    ofStep(step) {
      const values = matches.nodesOf(step).map(ofNode).filter(Boolean);
      return values.sort((a, b) => shareOf(b.found.relative) - shareOf(a.found.relative))[0];
    },
  };
}

/**
 * Returns the page's scales: {name, title, ends, ofNode(node), ofStep(step)}. ofNode and ofStep return {fill, ink, text, differs}
 * or undefined. A scale of times also has `slowest`: up to ten {step, name, text}, the slowest step first.
 */
export const scalesOf = (data, matches) => data.heats.map((heat) => (heat.kind === 'time' ? timeScale : differenceScale)(heat, matches, data));
