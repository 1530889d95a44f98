import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readAnswers } from '../../../scripts/account/compare.ts';

test('answers are read without a last line that a killed run has not finished', () => {
  const folder = mkdtempSync(join(tmpdir(), 'account-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'answers.jsonl');
  const answer = { service: 'sqs', operation: 'CreateQueue', shape: { QueueUrl: 'string' } };
  expect(readAnswers(file)).toEqual([]);
  writeFileSync(file, `${JSON.stringify(answer)}\n${JSON.stringify(answer).slice(0, 20)}`);
  expect(readAnswers(file)).toEqual([answer]);
});
