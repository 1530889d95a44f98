import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { compareWithSandbox, readAnswers, renderComparison } from '../../../scripts/account/compare.ts';
import { suites } from '../../../scripts/account/suites.ts';

test('answers are read without a last line that a killed run has not finished', () => {
  const folder = mkdtempSync(join(tmpdir(), 'account-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'answers.jsonl');
  const answer = { service: 'sqs', operation: 'CreateQueue', shape: { QueueUrl: 'string' } };
  expect(readAnswers(file)).toEqual([]);
  writeFileSync(file, `${JSON.stringify(answer)}\n${JSON.stringify(answer).slice(0, 20)}`);
  expect(readAnswers(file)).toEqual([answer]);
});

test('what failed in the sandbox is said before the findings that it may cause', () => {
  const findings = [
    { operation: 'sqs:CreateQueue', difference: 'only the account answers X', proposal: 'y' },
  ];
  const text = renderComparison({ failures: ['the suite was ended after 60 minutes'], findings });
  expect(text).toMatch(/^Failed in the sandbox.*\n {2}the suite was ended after 60 minutes\n1 differences/);
  expect(renderComparison({ failures: [], findings })).toMatch(/^1 differences/);
});

test('a comparison that is interrupted has no findings', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'account-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const compared = compareWithSandbox({
    suites: suites.filter(({ name }) => name === 'hooks'),
    run: 'abcd1234',
    region: 'eu-west-1',
    only: undefined,
    instanceType: 't4g.nano',
    fileFor: (name) => join(folder, name),
    signal: AbortSignal.abort(),
  });
  await expect(compared).rejects.toMatchObject({ name: 'AbortError' });
});
