import { describe, expect, it } from 'vitest';
import { secondDrainerProblems } from '../../../shared/problems/second-drainer-problems.ts';

const problems = (key: string, value: string) =>
  secondDrainerProblems(
    { autoScalingGroupName: 'my workers', tags: { 'drover.dev/role': 'worker', [key]: value } },
    'prod',
  );
const managed = 'aws-node-termination-handler/managed';

describe('a second program that drains', () => {
  it.each(['', 'true', 'false'])('is named for its tag, which counts with the value %j', (value) => {
    expect(problems(managed, value)).toMatchObject([
      {
        kind: 'second-drainer',
        subject: 'my workers',
        command: "drover migrate nth --group 'my workers' --cluster prod",
      },
    ]);
  });

  it.each(['team', managed.toUpperCase(), `${managed}-by`])('is not named for the tag %s', (key) => {
    expect(problems(key, '')).toEqual([]);
  });
});
