// Tests builders with random orders of calls: equal results in the worker and on the page, and no leaks.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {inBrowsers} from './support/in_browsers.mjs';

const count = process.env.WEBNN_RANDOM_GRAPHS ?? 40, seed = process.env.WEBNN_RANDOM_SEED ?? 1;

inBrowsers('/test/pages/builders.js', ({run}) => {
  test('random programs compute the same in the worker and on the page, and leave nothing', async () => {
    const found = [];
    for (const worker of [true, false]) {
      const {value: {differences, bits, left}, console} = await run({part: 'programs', worker, count, seed});
      assert.deepEqual(differences, []);
      assert.deepEqual(console, []);
      for (const of of ['page', 'host']) {
        for (const what of ['builders', 'tensors', 'graphs', 'operands']) assert.equal(left[of][what], 0, `${of}: ${what}`);
      }
      assert.equal(left.host.followed, 0);
      found.push(bits);
    }
    assert.equal(found[0].length, found[1].length);
    const differing = found[0].findIndex((bits, i) => bits && found[1][i] && bits !== found[1][i]);
    assert.equal(differing, -1);
    assert.ok(found[0].filter(Boolean).length >= 2 * count, 'too few graphs were computed');
  });

  for (const worker of [true, false]) {
    const where = worker ? 'in the worker' : 'on the page';
    test(`options that differ in the sign of zero are not the same, ${where}`, async () => {
      assert.deepEqual((await run({part: 'zeros', worker})).value, ['Infinity', '-Infinity', '-0', '0']);
    });
    test(`a build that is aborted before the host hears of it is skipped, ${where}`, async () => {
      const {value} = await run({part: 'aborted', worker});
      assert.deepEqual(value, {built: ['Error: enough', 'Error: enough'], graphs: 0});
    });
  }
});
