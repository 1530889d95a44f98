import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answer } from '@drover/cloud-sandbox/real/account/answers.ts';
import { expect, onTestFinished, test } from 'vitest';
import { LeakError, passedIn, writeFixtures } from '../../../scripts/account/fixtures.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fixtures-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'aws');
}

const answer = (sentence: string, shape: Answer['shape']): Answer => ({
  area: 'Route 53',
  case: sentence,
  service: 'route53',
  operation: 'GetChange',
  shape,
});

test('only cases that have passed are written, and a second run keeps the others', () => {
  const folder = newFolder();
  const file = join(folder, 'route-53.json');
  const first = [answer('one', { A: 'string' }), answer('two', { B: 'string' })];
  expect(writeFixtures(folder, first, ['one'])).toEqual([file]);
  expect(writeFixtures(folder, [answer('two', { B: 'date' })], ['two'])).toEqual([file]);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    cases: { one: [{ shape: { A: 'string' } }], two: [{ shape: { B: 'date' } }] },
  });
});

test('the same answers change no file, and a run without a passed case makes none', () => {
  const folder = newFolder();
  expect(writeFixtures(folder, [answer('one', {})], [])).toEqual([]);
  expect(existsSync(folder)).toBe(false);
  writeFixtures(folder, [answer('one', {})], ['one']);
  expect(writeFixtures(folder, [answer('one', {})], ['one'])).toEqual([]);
});

test('an answer with something of the account is not written, and the message says where to look', () => {
  const folder = newFolder();
  const leaking = [answer('one', { Id: 'string i-0a1b2c3d4e5f60718' })];
  expect(() => writeFixtures(folder, leaking, ['one'])).toThrow(LeakError);
  expect(() => writeFixtures(folder, leaking, ['one'])).toThrow(/keptFields/);
  expect(existsSync(folder)).toBe(false);
});

test('a suite that was ended before its report has no passed case', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fixtures-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const report = join(folder, 'hooks.json');
  expect(passedIn(report)).toEqual([]);
  const assertionResults = [
    { title: 'one', status: 'passed' },
    { title: 'two', status: 'failed' },
    { title: 'three', status: 'skipped' },
  ];
  writeFileSync(report, JSON.stringify({ testResults: [{ assertionResults }] }));
  expect(passedIn(report)).toEqual(['one']);
});
