import { DescribeInstancesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { GetScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import {
  CreateQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterEach, expect, test } from 'vitest';
import { createAwsFront } from '../../../src/aws/front/front.ts';
import type { AwsService } from '../../../src/aws/service.ts';
import { createSqs } from '../../../src/aws/sqs/sqs.ts';
import { createTokenIssuer } from '../../../src/aws/sts/token-issuer.ts';
import { type AwsServerOptions, startAwsServer } from '../../../src/aws/wire/server.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import type { HttpDoor } from '../../../src/wire/http-door.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { accountId, credentials, region, testIdentity } from '../support/test-front.ts';

const servers: HttpDoor[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function start(faults: unknown[] = [], issuerDocument?: AwsServerOptions['issuerDocument']) {
  const clock = createManualClock();
  let url = '';
  const sqs = createSqs({ clock, random: createRandom(1), accountId, region, queueUrlBase: () => url });
  const scheduler: AwsService = {
    signingName: 'scheduler',
    operations: { GetSchedule: (input: object) => input },
  };
  const ec2: AwsService = {
    signingName: 'ec2',
    operations: {
      DescribeInstances: () => {
        throw new TypeError('a bug of the sandbox');
      },
    },
  };
  const front = createAwsFront({
    services: [sqs, scheduler, ec2],
    findIdentity: (key) => (key === credentials.accessKeyId ? testIdentity : undefined),
    authorize: () => undefined,
    clock,
    random: createRandom(2),
  });
  const server = await startAwsServer({
    front,
    port: 0,
    onFault: (error) => faults.push(error),
    ...(issuerDocument && { issuerDocument }),
  });
  servers.push(server);
  url = server.url;
  return { url, options: { region, credentials, endpoint: url, maxAttempts: 1 } };
}

test('one port serves every service, and queue URLs point to it', async () => {
  const { url, options } = await start();
  const sqs = new SQSClient(options);
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'inbox' }));
  expect(QueueUrl).toBe(`${url}/${accountId}/inbox`);
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'over the wire ✓' }));
  const { Messages } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
  expect(Messages).toMatchObject([{ Body: 'over the wire ✓' }]);
  const scheduler = new SchedulerClient(options);
  expect(await scheduler.send(new GetScheduleCommand({ Name: 'a b', GroupName: 'x&y' }))).toMatchObject({
    Name: 'a b',
    GroupName: 'x&y',
  });
});

test('a bug of the sandbox is a 500 for the caller and reported to the operator', async () => {
  const faults: unknown[] = [];
  const { options } = await start(faults);
  await expect(new EC2Client(options).send(new DescribeInstancesCommand())).rejects.toMatchObject({
    $metadata: { httpStatusCode: 500 },
  });
  expect(faults).toMatchObject([{ message: 'a bug of the sandbox' }]);
});

test('a body larger than any limit of AWS is not read', async () => {
  const { url } = await start();
  const answer = await fetch(url, { method: 'POST', body: 'x'.repeat(16 * 1024 * 1024 + 1) });
  expect(answer.status).toBe(413);
});

test('a port that is in use is named in the error', async () => {
  const { url } = await start();
  const front = {
    handle: () => Promise.reject(new Error('not reached')),
    refuse: () => never(),
    describe: () => undefined,
  };
  const port = Number(new URL(url).port);
  await expect(startAwsServer({ front, port, onFault: () => undefined })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
});

function never(): never {
  throw new Error('not reached');
}

test('the same port serves the documents of the issuer of web identity tokens, and its keys under the URL of the request', async () => {
  const issuer = createTokenIssuer(createRandom(1));
  const { url } = await start([], async (path, base) => issuer.document(path, base));
  const discovery = () => fetch(`${url}/.well-known/openid-configuration`);
  expect((await discovery()).status).toBeGreaterThanOrEqual(400);
  issuer.enable();
  const { issuer: name, jwks_uri: keys } = (await (await discovery()).json()) as Record<string, string>;
  expect([name, keys]).toEqual([issuer.url(), `${url}/.well-known/jwks.json`]);
  expect(await (await fetch(`${keys}`)).json()).toEqual(issuer.document('/.well-known/jwks.json'));
});
