import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { AwsHttpRequest } from '../../../src/aws/codec/http.ts';
import { canonicalRequest } from '../../../src/aws/signature/canonical.ts';
import { createSqs } from '../../../src/aws/sqs/sqs.ts';
import { createSsm } from '../../../src/aws/ssm/ssm.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { accountId, createTestFront, credentials, region } from '../support/test-front.ts';

/** A well signed request, whatever it says. */
function signed(service: string, target: string, body: string): AwsHttpRequest {
  const timestamp = '20260105T080000Z';
  const scope = `20260105/${region}/${service}/aws4_request`;
  const headers: Record<string, string> = { host: 'x', 'x-amz-date': timestamp, 'x-amz-target': target };
  const request = { method: 'POST', path: '/', query: [], headers, body: Buffer.from(body) };
  const names = Object.keys(headers).sort();
  const hashed = createHash('sha256').update(canonicalRequest(request, names)).digest('hex');
  const key = ['20260105', region, service, 'aws4_request'].reduce<string | Buffer>(
    (previous, part) => createHmac('sha256', previous).update(part).digest(),
    `AWS4${credentials.secretAccessKey}`,
  );
  const signature = createHmac('sha256', key)
    .update(`AWS4-HMAC-SHA256\n${timestamp}\n${scope}\n${hashed}`)
    .digest('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
  return { ...request, headers: { ...headers, authorization } };
}

function world() {
  const clock = createManualClock();
  const services = [
    createSqs({ clock, random: createRandom(1), accountId, region }),
    createSsm({ clock, accountId, region }),
  ];
  return createTestFront({ services, clock }).front;
}

test('a signature over an inherited header name is refused', async () => {
  const request = signed('sqs', 'AmazonSQS.ListQueues', '{}');
  const authorization = (request.headers['authorization'] ?? '').replace(
    'SignedHeaders=',
    'SignedHeaders=constructor;',
  );
  const answer = await world().handle({ ...request, headers: { ...request.headers, authorization } });
  expect(answer.body).toContain('InvalidSignatureException');
});

test.each([
  ['no JSON', 'sqs', 'AmazonSQS.CreateQueue', '{', 'SerializationException'],
  ['a list', 'sqs', 'AmazonSQS.CreateQueue', '[]', 'SerializationException'],
  [
    'a number instead of a name',
    'sqs',
    'AmazonSQS.CreateQueue',
    '{"QueueName": 7}',
    'SerializationException',
  ],
  [
    'a string instead of a number',
    'sqs',
    'AmazonSQS.ReceiveMessage',
    '{"QueueUrl": "u", "WaitTimeSeconds": "1"}',
    'SerializationException',
  ],
  [
    'a string instead of a list',
    'ssm',
    'AmazonSSM.GetParameters',
    '{"Names": "a"}',
    'SerializationException',
  ],
  [
    'an attribute with an inherited name',
    'sqs',
    'AmazonSQS.CreateQueue',
    '{"QueueName":"a","Attributes":{"constructor":"1"}}',
    'InvalidAttributeName',
  ],
  [
    'an invalid policy',
    'sqs',
    'AmazonSQS.CreateQueue',
    '{"QueueName":"a","Attributes":{"Policy":"{\\"Statement\\":1}"}}',
    'InvalidAttributeValue',
  ],
  [
    'an invalid pattern',
    'ssm',
    'AmazonSSM.PutParameter',
    '{"Name":"/a","Value":"x","Type":"String","AllowedPattern":"("}',
    'InvalidAllowedPatternException',
  ],
  ['an operation with an inherited name', 'sqs', 'AmazonSQS.constructor', '{}', 'UnknownOperationException'],
  ['no operation', 'sqs', '', '{}', 'UnknownOperationException'],
  ['a service with an inherited name', 'constructor', 'x.y', '{}', 'InvalidAction'],
])('a request with %s gets an AWS error', async (...row) => {
  const [, service, target, body, code] = row;
  const answer = await world().handle(signed(service, target, body));
  expect(answer.statusCode).toBeGreaterThanOrEqual(400);
  expect(answer.statusCode).toBeLessThan(500);
  expect(answer.body).toContain(code);
});
