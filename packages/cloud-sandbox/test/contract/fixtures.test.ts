import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compareCase } from '../../real/account/compare-case.ts';
import { type FixtureAnswer, fixtureFile, leaksIn, readFixture } from '../../real/account/fixtures.ts';
import { type AccountArea } from './support/account-area.ts';
import { accountAreas } from './support/account-areas.ts';
import { replayCase } from './support/replay.ts';

const home = join(import.meta.dirname, '../../fixtures');
const folder = join(home, 'aws');
const files = existsSync(folder) ? readdirSync(folder) : [];

test('the page of the fixtures says whether there are any of AWS', () => {
  const page = readFileSync(join(home, 'README.md'), 'utf8');
  expect(page.includes('There is none yet.')).toBe(files.length === 0);
});

const fixtures = files.map((file) => {
  const text = readFileSync(join(folder, file), 'utf8');
  return { file, text, ...readFixture(text) };
});

const areaNamed = (name: string): AccountArea | undefined => accountAreas.find(({ area }) => area === name);

describe.each(fixtures)('$file', ({ file, text, area, cases }) => {
  test('contains nothing of an account, and is the file of a contract', () => {
    expect(leaksIn(text)).toEqual([]);
    expect(file).toBe(fixtureFile(area));
    expect(areaNamed(area)?.sentences).toEqual(expect.arrayContaining(Object.keys(cases)));
  });
  test.each(Object.entries(cases))('%s', async (sentence, answers) => {
    const known = areaNamed(area);
    expect(known && compareCase(answers, await replayCase(known, sentence))).toEqual([]);
  });
});

const firstOf = (area: string): string => areaNamed(area)?.sentences[0] ?? '';

/** One case of each contract proves the replay without a fixture of AWS. */
const examples: readonly (readonly [string, string])[] = [
  ['Auto Scaling', 'a group shows its warm pool'],
  [
    'Events of Auto Scaling',
    'an instance of a warm pool waits on its hook on the way there, and is stopped then',
  ],
  ['EventBridge Scheduler', 'a schedule runs at the local time of its time zone'],
  ['etcd groups', firstOf('etcd groups')],
  ['Parameter Store', firstOf('Parameter Store')],
  ['Route 53', firstOf('Route 53')],
  ['SQS FIFO queues', firstOf('SQS FIFO queues')],
  ['SQS standard queues', firstOf('SQS standard queues')],
];

test('each contract of an account has an example here', () => {
  expect(new Set(examples.map(([area]) => area))).toEqual(new Set(accountAreas.map(({ area }) => area)));
});

/** Another field, and one less. */
function planted(answers: readonly FixtureAnswer[]): readonly (readonly FixtureAnswer[])[] {
  const index = answers.findIndex(({ shape }) => Object.keys(shape).length > 0);
  const whole = answers[index];
  if (whole === undefined) throw new Error('the case has no answer with a field');
  const withShape = (shape: FixtureAnswer['shape']) => answers.with(index, { ...whole, shape });
  const [first = ''] = Object.keys(whole.shape);
  return [
    withShape({ ...(whole.shape as object), Planted: 'string' }),
    withShape({ ...(whole.shape as object), [first]: 'planted' }),
    [...answers, { operation: whole.operation, error: 'PlantedError', shape: {} }],
  ];
}

test.each(examples)(
  '%s: a replay equals another one, and differs from a planted answer: %s',
  async (area, sentence) => {
    const known = areaNamed(area);
    if (known === undefined) throw new Error(`there is no contract ${area}`);
    const recorded = await replayCase(known, sentence);
    const again = await replayCase(known, sentence);
    expect(recorded.length).toBeGreaterThan(0);
    expect(compareCase(recorded, again)).toEqual([]);
    for (const changed of planted(recorded)) expect(compareCase(changed, again)).not.toEqual([]);
  },
);
