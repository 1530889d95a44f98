import { expect, test } from 'vitest';
import type { Answer } from '../../../real/account/answers.ts';
import { recordCases } from './case-recorder.ts';

const answer = (operation: string): Answer => ({ service: 'sqs', operation, shape: {} });

test('an answer belongs to the case that has asked, also one that comes while the next case runs', async () => {
  const answers: Answer[] = [];
  const { record, during } = recordCases((one) => answers.push(one));
  const late = Promise.withResolvers<undefined>();
  const first = during({ area: 'SQS', case: 'first' }, async () => {
    await late.promise;
    record(answer('late'));
  });
  const second = during({ area: 'SQS', case: 'second' }, async () => {
    late.resolve(undefined);
    await first;
    record(answer('own'));
  });
  await second;
  record(answer('between'));
  expect(answers).toEqual([
    { ...answer('late'), area: 'SQS', case: 'first' },
    { ...answer('own'), area: 'SQS', case: 'second' },
    answer('between'),
  ]);
});
