import path from 'node:path';

import {escapeName, speaksOf} from './expectations.mjs';

/** The name of a pseudo-subtest for failures of the whole page: a harness error, a crash or a timeout. */
export const PAGE = '(page)';

/** Returns a page's subtests, plus one named PAGE if the whole page failed. */
function outcomes({harness, tests}) {
  return harness.status === 'OK' ? tests : [...tests, {name: PAGE, status: harness.status, message: harness.message}];
}

/**
 * Compares outcomes with the table of expectations.
 * @param {object[]} results of `runAll`: {run, harness, tests, milliseconds}
 * @param {object[]} rows of `readExpectations`
 * @returns {{unlisted: object[], passing: object[], listed: object[]}} entries {run, name, status, message, row}: failures
 * without a row, passes with a row, failures with a row
 */
export function compare(results, rows) {
  const found = {unlisted: [], passing: [], listed: []};
  for (const result of results) {
    for (const outcome of outcomes(result)) {
      const row = rows.find((candidate) => speaksOf(candidate, result.run.file, outcome.name));
      const entry = {run: result.run, row, ...outcome};
      if (outcome.status !== 'PASS') found[row ? 'listed' : 'unlisted'].push(entry);
      else if (row) found.passing.push(entry);
    }
  }
  return found;
}

/** Returns {folder, pages, subtests, passed, failed, listed, broken} for each directory and for all together. */
export function count(results, {listed}) {
  const folders = new Map();
  const empty = (folder) => ({folder, pages: 0, subtests: 0, passed: 0, failed: 0, listed: 0, broken: 0});
  const total = empty('all');
  for (const result of results) {
    const parent = path.posix.dirname(result.run.file);
    const folder = parent === 'webnn' ? result.run.file.replace(/\..*$/, '') : parent;
    if (!folders.has(folder)) folders.set(folder, empty(folder));
    for (const row of [folders.get(folder), total]) {
      const all = outcomes(result);
      const failed = all.filter((outcome) => outcome.status !== 'PASS').length;
      row.pages += 1;
      row.subtests += all.length;
      row.passed += all.length - failed;
      row.failed += failed;
      row.listed += listed.filter((entry) => entry.run === result.run).length;
      row.broken += result.harness.status === 'OK' ? 0 : 1;
    }
  }
  return [...folders.values(), total];
}

/** Formats rows as lines. Aligns the first column left and the others right. */
function align(rows) {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => String(row[i]).length)));
  const pad = (cell, i) => (i ? String(cell).padStart(widths[i]) : String(cell).padEnd(widths[i]));
  return rows.map((row) => row.map(pad).join('  ').trimEnd());
}

export function formatTable(counts) {
  const head = ['folder', 'pages', 'subtests', 'passed', 'failed', 'listed', 'broken', 'failed %'];
  const body = counts.map((row) => [row.folder, row.pages, row.subtests, row.passed, row.failed, row.listed, row.broken,
    row.subtests ? (100 * row.failed / row.subtests).toFixed(2) : '-']);
  return align([head, ...body]).join('\n');
}

/** Returns a line for each difference from the table of expectations. */
export function formatSurprises({unlisted, passing}) {
  const lines = unlisted.map(({run, name, status, message}) =>
    `${status} ${run.url}\n  ${escapeName(name)}\n  ${String(message ?? '').trim().split('\n')[0]}`);
  const passes = passing.map(({run, name, row}) => `PASS, but listed in line ${row.line}: ${run.url}\n  ${escapeName(name)}`);
  return [...lines, ...passes];
}

/** Returns the results in the format of `wpt run --log-wptreport`. */
export function toJson(results, {listed}, runInfo) {
  const expected = new Set(listed.map((entry) => `${entry.run.url} ${entry.name}`));
  return {
    run_info: runInfo,
    results: results.map(({run, harness, tests, milliseconds}) => ({
      test: run.url,
      status: harness.status,
      message: harness.message ?? null,
      duration: milliseconds,
      subtests: tests.map(({name, status, message}) => ({
        name, status, message: message ?? null, known_intermittent: [],
        ...(status !== 'PASS' && !expected.has(`${run.url} ${name}`) ? {expected: 'PASS'} : {}),
      })),
    })),
  };
}
