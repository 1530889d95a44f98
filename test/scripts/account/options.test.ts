import { expect, test } from 'vitest';
import { readCommandLine } from '../../../scripts/account/options.ts';
import { suites } from '../../../scripts/account/suites.ts';

test('a plan of all suites needs no other flag', () => {
  expect(readCommandLine(['--plan'])).toMatchObject({
    kind: 'plan',
    suites,
    maximumDollars: 10,
    json: false,
  });
  expect(readCommandLine(['--plan', '--suite', 'all'])).toMatchObject({ kind: 'plan', suites });
});

test('the region and the maximum are read', () => {
  const words = ['--plan', '--region', 'us-gov-west-1', '--max-dollars', '12.50', '--json'];
  expect(readCommandLine(words)).toMatchObject({ region: 'us-gov-west-1', maximumDollars: 12.5, json: true });
});

test.each([
  [['--plan', '--suite', 'etcd'], /no suite "etcd"/],
  [['--plan', '--region', 'Ireland'], /--region takes a region/],
  [['--plan', '--max-dollars', 'all'], /--max-dollars takes an amount/],
  [['--plan', '--max-dollars', '-3'], /max-dollars/],
  [['--plan', 'hooks'], /hooks/],
  [['--wipe'], /--wipe/],
  [[], /--plan/],
])('%j is refused', (words, message) => {
  const read = readCommandLine(words);
  expect(read.kind).toBe('wrong');
  expect(read.kind === 'wrong' && read.message).toMatch(message);
});

test('help is given whatever else is asked', () => {
  expect(readCommandLine(['--plan', '--help'])).toEqual({ kind: 'help' });
});
