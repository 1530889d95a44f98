import { createHash, createHmac } from 'node:crypto';
import { DescribeInstancesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { expect, test } from 'vitest';
import { createAwsFront } from '../../../src/aws/front/front.ts';
import { createInProcessHandler } from '../../../src/aws/front/in-process.ts';
import { createIam } from '../../../src/aws/iam/iam.ts';
import type { AwsService } from '../../../src/aws/service.ts';
import { canonicalRequest } from '../../../src/aws/signature/canonical.ts';
import { createSignatureVerifier } from '../../../src/aws/signature/verify.ts';
import { createSts } from '../../../src/aws/sts/sts.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { accountId, region } from '../support/test-front.ts';

const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';

function world({ judgeAge = false }: { readonly judgeAge?: boolean } = {}) {
  const clock = createManualClock();
  const iam = createIam({ clock, random: createRandom(3), accountId });
  const user = iam.putUser({
    userName: 'tester',
    policies: [],
    accessKeyId: 'AKIAKNOWN',
    secretAccessKey: secret,
  });
  const echo = (signingName: string): AwsService => ({
    signingName,
    operations: { ListQueues: () => ({}), DescribeInstances: () => ({}) },
  });
  const front = createAwsFront({
    services: [
      createSts({ iam, clock, random: createRandom(3), region: 'eu-west-1' }),
      echo('sqs'),
      echo('ec2'),
    ],
    findIdentity: iam.findIdentity,
    authorize: () => undefined,
    clock,
    ...(judgeAge ? { signingClock: clock } : {}),
    random: createRandom(4),
  });
  const requestHandler = createInProcessHandler({ front });
  const options = (credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string }) => ({
    region,
    credentials,
    requestHandler,
    maxAttempts: 1,
  });
  return { clock, iam, user, front, options };
}

test('the example of the AWS signature test suite (get-vanilla) is verified', () => {
  const request = {
    method: 'GET',
    path: '/',
    query: [],
    headers: { host: 'example.amazonaws.com', 'x-amz-date': '20150830T123600Z' },
    body: new Uint8Array(),
  };
  const claim = {
    accessKeyId: 'AKIDEXAMPLE',
    date: '20150830',
    region: 'us-east-1',
    service: 'service',
    signedHeaders: ['host', 'x-amz-date'],
    signature: '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    timestamp: '20150830T123600Z',
    sessionToken: undefined,
    expiresSeconds: undefined,
  };
  const verifier = createSignatureVerifier();
  expect(verifier.matches(request, claim, 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY')).toBe(true);
  expect(verifier.matches(request, claim, 'another')).toBe(false);
  expect(
    verifier.matches({ ...request, path: '/x' }, claim, 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'),
  ).toBe(false);
});

test.each([
  ['sqs', 'InvalidClientTokenId', 'SignatureDoesNotMatch'],
  ['sts', 'InvalidClientTokenId', 'SignatureDoesNotMatch'],
  ['ec2', 'AuthFailure', 'AuthFailure'],
])('%s answers %s to an unknown key and %s to a wrong secret', async (service, unknownKey, wrongSecret) => {
  const { options } = world();
  const call = (credentials: { accessKeyId: string; secretAccessKey: string }): Promise<unknown> => {
    if (service === 'sqs') return new SQSClient(options(credentials)).send(new ListQueuesCommand());
    if (service === 'sts') return new STSClient(options(credentials)).send(new GetCallerIdentityCommand());
    return new EC2Client(options(credentials)).send(new DescribeInstancesCommand());
  };
  await expect(call({ accessKeyId: 'AKIANOBODY', secretAccessKey: secret })).rejects.toMatchObject({
    name: unknownKey,
  });
  await expect(call({ accessKeyId: 'AKIAKNOWN', secretAccessKey: 'wrong' })).rejects.toMatchObject({
    name: wrongSecret,
  });
  await call({ accessKeyId: 'AKIAKNOWN', secretAccessKey: secret });
});

test('session credentials need their token and expire', async () => {
  const { iam, clock, options } = world();
  iam.putRole({ roleName: 'r', policies: [], trustPolicy: { Statement: [] } });
  const roleArn = `arn:aws:iam::${accountId}:role/r`;
  const issued = iam.issueCredentials({ roleArn, sessionName: 's', durationSeconds: 900 });
  const { accessKeyId, secretAccessKey, sessionToken = '' } = issued;
  const identity = (token?: string): Promise<unknown> =>
    new STSClient(
      options({ accessKeyId, secretAccessKey, ...(token === undefined ? {} : { sessionToken: token }) }),
    ).send(new GetCallerIdentityCommand());
  await expect(identity()).rejects.toMatchObject({ name: 'InvalidClientTokenId' });
  await expect(identity('made-up')).rejects.toMatchObject({ name: 'InvalidClientTokenId' });
  expect(await identity(sessionToken)).toMatchObject({ Arn: `arn:aws:sts::${accountId}:assumed-role/r/s` });
  clock.advance(900);
  await expect(identity(sessionToken)).rejects.toMatchObject({ name: 'ExpiredToken' });
});

test('a signature is valid for five minutes before and after the time of the clock', async () => {
  const { clock, options } = world({ judgeAge: true });
  const behindMachine = clock.now() - Date.now();
  const identity = (offsetSeconds: number): Promise<unknown> =>
    new STSClient({
      ...options({ accessKeyId: 'AKIAKNOWN', secretAccessKey: secret }),
      systemClockOffset: behindMachine + offsetSeconds * 1000,
    }).send(new GetCallerIdentityCommand());
  await identity(0);
  await identity(-290);
  await expect(identity(-310)).rejects.toThrow('Signature expired');
  await expect(identity(310)).rejects.toThrow('Signature not yet current');
});

test.each([0, 604_801])('a presigned request cannot be valid for %i s', async (seconds) => {
  const { front, clock } = world();
  const answer = await front.handle(presign(new Date(clock.now()), {}, seconds));
  expect(answer.body).toContain('X-Amz-Expires must be between 1 and 604800');
});

const presign = (at: Date, extraHeaders: Readonly<Record<string, string>>, expiresSeconds = 60) => {
  const timestamp = at.toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  const date = timestamp.slice(0, 8);
  const scope = `${date}/${region}/sts/aws4_request`;
  const headers = { host: 'sts.eu-west-1.amazonaws.com', ...extraHeaders };
  const signedHeaders = Object.keys(headers).sort();
  const query: Array<readonly [string, string]> = [
    ['Action', 'GetCallerIdentity'],
    ['Version', '2011-06-15'],
    ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
    ['X-Amz-Credential', `AKIAKNOWN/${scope}`],
    ['X-Amz-Date', timestamp],
    ['X-Amz-Expires', String(expiresSeconds)],
    ['X-Amz-SignedHeaders', signedHeaders.join(';')],
  ];
  const request = { method: 'GET', path: '/', query, headers, body: new Uint8Array() };
  const hashed = createHash('sha256').update(canonicalRequest(request, signedHeaders)).digest('hex');
  const key = [date, region, 'sts', 'aws4_request'].reduce<string | Buffer>(
    (previous, part) => createHmac('sha256', previous).update(part).digest(),
    `AWS4${secret}`,
  );
  const toSign = ['AWS4-HMAC-SHA256', timestamp, scope, hashed].join('\n');
  const signature = createHmac('sha256', key).update(toSign).digest('hex');
  return { ...request, query: [...query, ['X-Amz-Signature', signature] as const] };
};

test('a presigned GetCallerIdentity answers XML, or JSON for an Accept header as of aws-iam-authenticator', async () => {
  const { front, clock } = world();
  const signed = presign(new Date(clock.now()), { 'x-k8s-aws-id': 'drover' });
  const xml = await front.handle(signed);
  expect(xml).toMatchObject({ statusCode: 200, headers: { 'content-type': 'text/xml' } });
  expect(xml.body).toContain(`<Arn>arn:aws:iam::${accountId}:user/tester</Arn>`);
  const json = await front.handle({ ...signed, headers: { ...signed.headers, accept: 'application/json' } });
  expect(JSON.parse(String(json.body))).toMatchObject({
    GetCallerIdentityResponse: {
      GetCallerIdentityResult: { Account: accountId, Arn: `arn:aws:iam::${accountId}:user/tester` },
    },
  });
});

test('a presigned request to STS is valid for 15 minutes, whatever X-Amz-Expires says, and needs its signed headers', async () => {
  const { front, clock } = world();
  const signed = presign(new Date(clock.now()), { 'x-k8s-aws-id': 'drover' });
  const other = { ...signed, headers: { ...signed.headers, 'x-k8s-aws-id': 'another' } };
  expect((await front.handle(other)).body).toContain('SignatureDoesNotMatch');
  clock.advance(899);
  expect((await front.handle(signed)).statusCode).toBe(200);
  clock.advance(2);
  const late = await front.handle(signed);
  expect(late.statusCode).toBe(403);
  expect(late.body).toContain('Signature expired');
});

test('an unsigned request is refused with MissingAuthenticationToken', async () => {
  const { front } = world();
  const answer = await front.handle({
    method: 'GET',
    path: '/',
    query: [],
    headers: {},
    body: new Uint8Array(),
  });
  expect(answer.statusCode).toBe(403);
  expect(answer.body).toContain('<Code>MissingAuthenticationToken</Code>');
});
