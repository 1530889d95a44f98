import { expect, it } from 'vitest';
import { createAccount } from '../../../src/cloud/account.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { createVirtualClock } from '../../../src/simulation/virtual-clock.ts';

function createWorld(requestsPerSecond?: number) {
  const clock = createVirtualClock();
  const { ssm, operator } = createAccount({
    clock,
    random: createRandom(1),
    accountId: '123456789012',
    region: 'eu-west-1',
    ...(requestsPerSecond !== undefined && { timings: { ssm: { requestsPerSecond } } }),
  });
  const call = { principal: operator, requestId: 'test' };
  ssm.operations.PutParameter({ Name: '/a', Value: 'x', Type: 'String' }, call);
  return { clock, operations: ssm.operations, call };
}

const refusal = expect.objectContaining({ code: 'ThrottlingException', message: 'Rate exceeded' });

it('Parameter Store refuses reads of values beyond the limit per second, and still accepts writes', () => {
  const { clock, operations, call } = createWorld(3);
  operations.GetParameter({ Name: '/a' });
  operations.GetParameters({ Names: ['/a'] });
  operations.GetParametersByPath({ Path: '/' });
  expect(() => operations.GetParameter({ Name: '/a' })).toThrow(refusal);
  expect(() => operations.GetParametersByPath({ Path: '/' })).toThrow(refusal);
  operations.DescribeParameters({});
  operations.PutParameter({ Name: '/a', Value: 'y', Overwrite: true }, call);
  clock.moveTo(clock.now() + 1000);
  expect(operations.GetParameter({ Name: '/a' }).Parameter?.Value).toBe('y');
});

it('Parameter Store answers any number of reads if there is no limit', () => {
  const { operations } = createWorld();
  for (let count = 0; count < 100; count += 1) operations.GetParameter({ Name: '/a' });
});
