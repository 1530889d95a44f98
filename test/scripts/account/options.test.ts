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
  [[], /--region/],
  [['--sweep', '--yes'], /--region/],
  [['--region', 'eu-west-1', '--run', 'abcd1234'], /--run needs --sweep/],
  [['--sweep', '--region', 'eu-west-1', '--run', 'all'], /eight characters/],
  [['--sweep', '--plan', '--region', 'eu-west-1'], /exclude each other/],
  [['--region', 'eu-west-1', '--speed', '60'], /--speed needs --endpoint/],
])('%j is refused', (words, message) => {
  const read = readCommandLine(words);
  expect(read.kind).toBe('wrong');
  expect(read.kind === 'wrong' && read.message).toMatch(message);
});

test('help is given whatever else is asked', () => {
  expect(readCommandLine(['--plan', '--help'])).toEqual({ kind: 'help' });
});

test('a run and a sweep go on only with --yes', () => {
  const place = ['--region', 'eu-west-1', '--profile', 'sandbox'];
  expect(readCommandLine(place)).toMatchObject({ kind: 'run', suites, yes: false, profile: 'sandbox' });
  expect(readCommandLine([...place, '--yes'])).toMatchObject({ kind: 'run', yes: true });
  expect(readCommandLine(['--sweep', ...place])).toMatchObject({ kind: 'sweep', yes: false });
  expect(readCommandLine(['--sweep', ...place, '--run', 'abcd1234', '--yes'])).toMatchObject({
    kind: 'sweep',
    run: 'abcd1234',
    yes: true,
  });
});
