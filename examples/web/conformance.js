// The vectors of web-platform-tests in this browser.
import * as webnn from './webnn/webnn.js';
import {byId, element, files} from './page.js';

const {impl_status: operations} = await (await fetch('status.json')).json();
const cells = new Map();  // of this browser, by operation

byId('rows').replaceChildren(...operations.map(({op, cpu_passed: passed, cpu_cases: cases}) => {
  const here = element('td', {className: 'number soft'}, '–');
  cells.set(op, here);
  const engine = cases === undefined ? element('td', {className: 'number soft'}, '–')  // there are no vectors of it
    : element('td', {className: `number ${passed === cases ? 'good' : 'bad'}`}, `${passed} of ${cases}`);
  return element('tr', {}, element('th', {scope: 'row'}, op), engine, here);
}));

const tooLarge = ({name}) => name.includes('large inputs');  // 36 million elements

const showCounts = ({cell, passed, cases, problems}) => {
  cell.className = `number ${passed === cases ? 'good' : 'bad'}`;
  cell.textContent = `${passed} of ${cases}`;
  cell.title = problems.join('\n');
};

// Runs the cases of a file, which are of one operation or of several.
async function runFile(context, runCase, file, rows) {
  const {cases} = await (await fetch(`vectors/${file}.json`)).json();
  const counts = new Map(rows.map(({op}) => [op, {cell: cells.get(op), passed: 0, cases: 0, problems: []}]));
  for (const each of cases.filter((one) => !tooLarge(one))) {
    const of = rows.find(({op}) => each.graph.operators.some(({name}) => name === op)) ?? rows[0];
    const count = counts.get(of.op);
    const problem = await runCase(context, each).catch((error) => `${error}`);
    count.cases += 1;
    if (problem) count.problems.push(`${each.name}: ${problem}`);
    else count.passed += 1;
  }
  for (const count of counts.values()) showCounts(count);
  return [...counts.values()];
}

async function runAll() {
  const progress = byId('progress');
  byId('run').disabled = true;
  progress.hidden = false;
  globalThis.webnnUnderTest = webnn;
  const {runCase} = await import('./vectors.js');
  const context = await webnn.ml.createContext();
  const names = [...new Set(operations.map(({wpt}) => wpt))].filter((name) => files.vectors.includes(name));
  const start = performance.now();
  let passed = 0, cases = 0;
  for (const [i, name] of names.entries()) {
    for (const counts of await runFile(context, runCase, name, operations.filter(({wpt}) => wpt === name))) {
      passed += counts.passed;
      cases += counts.cases;
    }
    progress.value = (i + 1) / names.length;
    byId('said').textContent = `${passed} of ${cases}`;
  }
  progress.hidden = true;
  byId('said').textContent = `${passed} of ${cases} pass, in ${((performance.now() - start) / 1000).toFixed(1)} seconds.`;
  byId('run').disabled = false;
}

if (files.vectors?.length) {
  byId('run').addEventListener('click', runAll);
} else {
  byId('run').disabled = true;
  byId('missing').hidden = false;
}
