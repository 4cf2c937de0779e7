// Reads expectations.tsv, the table of accepted failures. Its columns are file, subtest, reason and specification.
import fs from 'node:fs';

const COLUMNS = ['file', 'subtest', 'reason', 'specification'];

/** Escapes backslashes and unprintable characters in a subtest's name, as the table does. */
export function escapeName(name) {
  return name.replace(/[\\\p{C}\u2028\u2029]/gu, (character) => {
    if (character === '\\') return '\\\\';
    return [...Array(character.length).keys()].map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');
  });
}

/**
 * Reads the table. A subtest that ends in `*` stands for all subtests with this prefix, which must all fail.
 * @returns {{file: string, subtest: string, reason: string, specification: string, line: number}[]}
 */
export function readExpectations(file) {
  const rows = [];
  fs.readFileSync(file, 'utf8').split('\n').forEach((text, index) => {
    const line = index + 1;
    if (text === '' || text.startsWith('#') || line === 1) {
      if (line === 1 && text !== COLUMNS.join('\t')) throw new Error(`${file}:1: the columns are not ${COLUMNS.join(', ')}.`);
      return;
    }
    const cells = text.split('\t');
    if (cells.length !== COLUMNS.length || cells.includes('')) {
      throw new Error(`${file}:${line}: there must be ${COLUMNS.length} cells, none of them empty.`);
    }
    rows.push({...Object.fromEntries(COLUMNS.map((name, i) => [name, cells[i]])), line});
  });
  return rows;
}

/** Returns whether a row of the table applies to a subtest of a file. */
export function speaksOf(row, file, subtest) {
  if (row.file !== file) return false;
  const name = escapeName(subtest);
  return row.subtest.endsWith('*') ? name.startsWith(row.subtest.slice(0, -1)) : row.subtest === name;
}
