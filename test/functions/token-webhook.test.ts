import {
  createAwsFront,
  createIam,
  createInProcessHandler,
  createSsm,
  createSts,
  type Fault,
} from '@drover/cloud-sandbox/aws';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import { createManualClock } from '@drover/cloud-sandbox/test/aws/support/manual-clock.ts';
import { expect, it } from 'vitest';
import { create } from '../../functions/token-webhook.ts';
import { httpEvent } from '../../local/world/http-event.ts';
import { reviewOf } from '../../local/world/identity-world.ts';
import { presignCallerIdentity } from '../../shared/aws/caller-identity.ts';

const region = 'cn-north-1';
const accountId = '123456789012';
const credentials = { accessKeyId: 'AKIAQ3EGR6KXEXAMPLE2', secretAccessKey: 'x' };
const userarn = `arn:aws:iam::${accountId}:user/ann`;
const bearer = 'c'.repeat(40);
const parameters = {
  '/secret': JSON.stringify({ current: bearer }),
  '/mapping': JSON.stringify({ mapUsers: [{ userarn, username: 'ann' }] }),
};

function createWorld(onCall?: (call: { readonly service: string }) => Fault) {
  const clock = createManualClock();
  const random = createRandom(1);
  const ssm = createSsm({ clock, accountId, region, putAwsEvent: () => undefined });
  const context = {
    principal: { accountId, arn: userarn, accessKeyId: credentials.accessKeyId },
    requestId: 'x',
  };
  for (const [Name, Value] of Object.entries(parameters))
    ssm.operations.PutParameter({ Name, Value, Type: 'SecureString' }, context);
  const iam = createIam({ clock, random, accountId });
  iam.putUser({ userName: 'ann', policies: [], ...credentials });
  const front = createAwsFront({
    services: [ssm, createSts({ iam, clock, random, region })],
    findIdentity: iam.findIdentity,
    authorize: () => undefined,
    clock,
    random,
  });
  const answer = create({
    environment: {
      AWS_REGION: region,
      DROVER_CLUSTER: 'prod',
      DROVER_TOKEN_WEBHOOK_SECRET_PARAMETER: '/secret',
      DROVER_IDENTITY_MAPPING_PARAMETER: '/mapping',
    },
    clock: { ...clock, after: () => ({ cancel: () => undefined }) },
    randomBytes: (size) => new Uint8Array(size),
    awsCredentials: () => credentials,
    awsRequestHandler: createInProcessHandler({ front, onCall }),
    awsMaxAttempts: 3,
    sendHttp: () => Promise.reject(new Error('nothing but AWS is asked')),
    writeLine: () => undefined,
  });
  return async (stsRegion: string) => {
    const signer = { credentials: async () => credentials, clock, region: stsRegion };
    const url = await presignCallerIdentity(signer, { clusterId: 'prod' });
    const review = reviewOf(`k8s-aws-v1.${Buffer.from(url).toString('base64url')}`);
    const headers = { authorization: `Bearer ${bearer}` };
    const event = httpEvent('POST', '/token-review', { headers, body: JSON.stringify(review) });
    const { statusCode, body } = await answer(event, { awsRequestId: 'x' } as never);
    return statusCode === 200 ? JSON.parse(body).status.authenticated : statusCode;
  };
}

it('asks STS of the partition that the function is in, and of no other', async () => {
  const ask = createWorld();
  expect(await ask('cn-northwest-1')).toBe(true);
  expect(await ask('eu-west-1')).toBe(false);
});

it('tries Parameter Store once: the API server asks again', async () => {
  let calls = 0;
  const ask = createWorld(({ service }) => {
    if (service !== 'ssm') return undefined;
    calls += 1;
    return 'fail-before';
  });
  expect([await ask('cn-north-1'), calls]).toEqual([503, 1]);
});
