import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCloudFormation } from '../../../src/aws/cloudformation/cloudformation.ts';
import { createIam } from '../../../src/aws/iam/iam.ts';
import { createLogs } from '../../../src/aws/logs/logs.ts';
import { createSqs } from '../../../src/aws/sqs/sqs.ts';
import { createSsm } from '../../../src/aws/ssm/ssm.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { accountId, region } from '../support/test-front.ts';

// The packed package runs on Node 20.11, which lacks it.
beforeEach(() => {
  vi.spyOn(URL, 'parse').mockImplementation(() => {
    throw new TypeError('URL.parse is not a function');
  });
});
afterEach(() => vi.restoreAllMocks());

/** An account whose only object is a template. */
function create(TemplateURL: string) {
  const parts = { clock: createManualClock(), random: createRandom(9), accountId, region };
  const template = JSON.stringify({ Resources: { Queue: { Type: 'AWS::SQS::Queue' } } });
  const { operations } = createCloudFormation({
    ...parts,
    sqs: createSqs(parts),
    ssm: createSsm(parts),
    logs: createLogs(parts),
    iam: createIam(parts),
    readObject: (bucket, key) => (bucket === 'art.ifacts' && key === 'a b/t.json' ? template : undefined),
  });
  return operations.CreateStack({ StackName: 'one', TemplateURL });
}

test.each([
  `https://art.ifacts.s3.${region}.amazonaws.com/a%20b/t.json`,
  'https://art.ifacts.s3.amazonaws.com/a%20b/t.json',
  `https://s3.${region}.amazonaws.com/art.ifacts/a%20b/t.json`,
])('a stack is created from the template at %s', (url) => {
  expect(create(url).StackId).toContain(':stack/one/');
});

test.each([`https://art.ifacts.s3.${region}.amazonaws.com/other.json`, 'art.ifacts/t.json', ''])(
  'a stack is refused without an object at "%s"',
  (url) => {
    expect(() => create(url)).toThrow('S3 error: Access Denied');
  },
);
