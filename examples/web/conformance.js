// Runs the conformance vectors of web-platform-tests in this browser.
import * as webnn from './webnn/webnn.js';
import {byId, element, files} from './page.js';

const {impl_status: operations} = await (await fetch('status.json')).json();
const cells = new Map();  // the table's cells for this browser's results, by operation

// Inserts break opportunities before capital letters, so that a long name wraps on narrow screens.
const breakable = (name) => name.split(/(?=[A-Z])/).flatMap((part, i) => (i ? [element('wbr'), part] : [part]));

byId('rows').replaceChildren(...operations.map(({op, cpu_passed: passed, cpu_cases: cases}) => {
  const here = element('td', {className: 'number soft'}, '–');
  cells.set(op, here);
  const engine = cases === undefined ? element('td', {className: 'number soft'}, '–')  // no vectors exist
    : element('td', {className: `number ${passed === cases ? 'good' : 'bad'}`}, `${passed} of ${cases}`);
  return element('tr', {}, element('th', {scope: 'row'}, ...breakable(op)), engine, here);
}));

const tooLarge = ({name}) => name.includes('large inputs');  // 36 million elements

// Returns the operation that a case tests, as scripts/status.py does: the first word of the case's name if it is an operation,
// otherwise the last operation of its graph.
function operationOf({name, graph}) {
  const [first] = name.split(/[ (]/);
  return cells.has(first) ? first : graph.operators.at(-1).name;
}

function show(op, {passed, cases, problems}) {
  const cell = cells.get(op);
  cell.className = `number ${passed === cases ? 'good' : 'bad'}`;
  cell.textContent = `${passed} of ${cases}`;
  cell.title = problems.join('\n');
}

// Runs the cases of a file, and adds their results to the counts of their operations.
async function runFile(context, runCase, file, counts) {
  const {cases} = await (await fetch(`vectors/${file}.json`)).json();
  for (const each of cases.filter((one) => !tooLarge(one))) {
    const op = operationOf(each);
    if (!counts.has(op)) counts.set(op, {passed: 0, cases: 0, problems: []});
    const count = counts.get(op);
    const problem = await runCase(context, each).catch((error) => `${error}`);
    count.cases += 1;
    if (problem) count.problems.push(`${each.name}: ${problem}`);
    else count.passed += 1;
    show(op, count);
  }
}

async function runAll() {
  const progress = byId('progress');
  byId('run').disabled = true;
  progress.hidden = false;
  globalThis.webnnUnderTest = webnn;
  const {runCase} = await import('./vectors.js');
  const context = await webnn.ml.createContext();
  const start = performance.now(), counts = new Map();
  const sum = () => {
    const all = [...counts.values()], of = (what) => all.reduce((total, count) => total + count[what], 0);
    return `${of('passed')} of ${of('cases')}`;
  };
  for (const [i, name] of files.vectors.entries()) {
    await runFile(context, runCase, name, counts);
    progress.value = (i + 1) / files.vectors.length;
    byId('said').textContent = sum();
  }
  progress.hidden = true;
  byId('said').textContent = `${sum()} pass, in ${((performance.now() - start) / 1000).toFixed(1)} seconds.`;
  byId('run').disabled = false;
}

if (files.vectors?.length) {
  byId('run').addEventListener('click', runAll);
  byId('run').disabled = false;
} else {
  byId('missing').hidden = false;
}
