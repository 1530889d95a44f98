import { expect, test } from 'vitest';
import { fixturesOfAws } from '../../../scripts/account/fixtures.ts';
import { readCommandLine } from '../../../scripts/account/options.ts';
import { suites } from '../../../scripts/account/suites.ts';

const inAll = suites.filter(({ isOnRequest }) => isOnRequest !== true);

test('a plan of all suites needs no other flag', () => {
  expect(readCommandLine(['--plan'])).toMatchObject({
    kind: 'plan',
    suites: inAll,
    maximumDollars: 10,
    json: false,
  });
  expect(readCommandLine(['--plan', '--suite', 'all'])).toMatchObject({ kind: 'plan', suites: inAll });
});

test('the region and the maximum are read', () => {
  const words = ['--plan', '--region', 'us-gov-west-1', '--max-dollars', '12.50', '--json'];
  expect(readCommandLine(words)).toMatchObject({ region: 'us-gov-west-1', maximumDollars: 12.5, json: true });
});

test.each([
  [['--plan', '--suite', 'hook'], /no suite "hook"/],
  [['--plan', '--suite', 'kubernetes'], /drover trial GROUP/],
  [['--plan', '--suite', 'rates', '--suite', 'api'], /rates excludes api/],
  [['--plan', '--suite', 'all', '--suite', 'rates'], /rates excludes api/],
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

test('one suite is chosen by its name, and a release by its folder', () => {
  const place = ['--region', 'eu-west-1'];
  expect(readCommandLine([...place, '--suite', 'api'])).toMatchObject({
    suites: [{ name: 'api' }],
    release: expect.stringMatching(/^dist\/release\/drover-\d+\.\d+\.\d+/),
  });
  expect(readCommandLine([...place, '--release', '/tmp/release'])).toMatchObject({ release: '/tmp/release' });
});

test('help is given whatever else is asked', () => {
  expect(readCommandLine(['--plan', '--help'])).toEqual({ kind: 'help' });
});

test('a run and a sweep go on only with --yes', () => {
  const place = ['--region', 'eu-west-1', '--profile', 'sandbox'];
  expect(readCommandLine(place)).toMatchObject({
    kind: 'run',
    suites: inAll,
    yes: false,
    profile: 'sandbox',
  });
  expect(readCommandLine([...place, '--yes'])).toMatchObject({ kind: 'run', yes: true });
  expect(readCommandLine(['--sweep', ...place])).toMatchObject({ kind: 'sweep', yes: false });
  expect(readCommandLine(['--sweep', ...place, '--run', 'abcd1234', '--yes'])).toMatchObject({
    kind: 'sweep',
    run: 'abcd1234',
    yes: true,
  });
});

test('answers of a simulated account do not go where those of AWS are', () => {
  const line = ['--region', 'eu-west-1', '--endpoint', 'http://127.0.0.1:1', '--fixtures'];
  for (const folder of [fixturesOfAws, `./${fixturesOfAws}/`, `${fixturesOfAws}/sqs`])
    expect(readCommandLine([...line, folder])).toMatchObject({ kind: 'wrong' });
  expect(readCommandLine([...line, 'reports/fixtures'])).toMatchObject({ fixtures: 'reports/fixtures' });
  expect(readCommandLine(['--region', 'eu-west-1', '--fixtures', fixturesOfAws])).toMatchObject({
    kind: 'run',
  });
});

test('rates is measured only if it is named, and then comes last', () => {
  const namesOf = (...words: string[]) => {
    const line = readCommandLine(['--plan', ...words]);
    return 'suites' in line ? line.suites.map(({ name }) => name) : line;
  };
  expect(namesOf()).not.toContain('rates');
  expect(namesOf('--suite', 'all')).not.toContain('rates');
  expect(namesOf('--suite', 'rates')).toEqual(['rates']);
  expect(namesOf('--suite', 'rates', '--suite', 'hooks')).toEqual(['hooks', 'rates']);
});
