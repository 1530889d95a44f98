import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { expect, test } from 'vitest';
import { createAwsFront } from '../../../src/aws/front/front.ts';
import { createInProcessHandler } from '../../../src/aws/front/in-process.ts';
import { createAuthorizer } from '../../../src/aws/iam/authorizer.ts';
import { administratorAccess, createIam } from '../../../src/aws/iam/iam.ts';
import { createResourcePolicies } from '../../../src/aws/iam/resource-policies.ts';
import { createSts } from '../../../src/aws/sts/sts.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { accountId, region } from '../support/test-front.ts';

function world() {
  const clock = createManualClock();
  const iam = createIam({ clock, random: createRandom(1), accountId });
  const trustPolicy = {
    Statement: { Effect: 'Allow', Principal: { AWS: accountId }, Action: 'sts:AssumeRole' },
  };
  iam.putRole({ roleName: 'open', policies: [], trustPolicy });
  iam.putRole({
    roleName: 'lambda-only',
    policies: [],
    trustPolicy: {
      Statement: {
        Effect: 'Allow',
        Principal: { Service: 'lambda.amazonaws.com' },
        Action: 'sts:AssumeRole',
      },
    },
  });
  const user = iam.putUser({ userName: 'admin', policies: [administratorAccess] });
  const lookup = {
    tags: () => undefined,
    autoScalingGroupArn: () => undefined,
    autoScalingGroupOfInstance: () => undefined,
    parameterKeyArn: () => undefined,
    roleBoundary: () => undefined,
  };
  const authorize = createAuthorizer({
    accountId,
    region,
    clock,
    lookup,
    policiesOf: (principal) => iam.policiesOf(principal),
    roleArnOf: (principal) => iam.roleArnOf(principal),
    resourcePolicyOf: createResourcePolicies({ iam: (arn) => iam.role(arn)?.trustPolicy }),
  });
  const front = createAwsFront({
    services: [createSts({ iam, clock, random: createRandom(2), region })],
    findIdentity: iam.findIdentity,
    authorize,
    clock,
    random: createRandom(2),
  });
  const client = (credentials: {
    accessKeyId: string;
    secretAccessKey: string;
    sessionToken?: string | undefined;
  }) =>
    new STSClient({
      region,
      requestHandler: createInProcessHandler({ front }),
      maxAttempts: 1,
      credentials: {
        accessKeyId: credentials.accessKeyId,
        secretAccessKey: credentials.secretAccessKey,
        ...(credentials.sessionToken === undefined ? {} : { sessionToken: credentials.sessionToken }),
      },
    });
  const assume = (roleName: string, more: object = {}) =>
    client(user).send(
      new AssumeRoleCommand({
        RoleArn: `arn:aws:iam::${accountId}:role/${roleName}`,
        RoleSessionName: 'work',
        ...more,
      }),
    );
  return { clock, client, user, assume };
}

test('GetCallerIdentity names a user, and the session of a role', async () => {
  const { client, user, assume } = world();
  expect(await client(user).send(new GetCallerIdentityCommand())).toMatchObject({
    Account: accountId,
    Arn: `arn:aws:iam::${accountId}:user/admin`,
    UserId: expect.stringMatching(/^AIDA/),
  });
  const { Credentials, AssumedRoleUser } = await assume('open');
  const identity = await client({
    accessKeyId: Credentials?.AccessKeyId ?? '',
    secretAccessKey: Credentials?.SecretAccessKey ?? '',
    sessionToken: Credentials?.SessionToken,
  }).send(new GetCallerIdentityCommand());
  expect(identity.Arn).toBe(`arn:aws:sts::${accountId}:assumed-role/open/work`);
  expect(identity).toMatchObject({ Arn: AssumedRoleUser?.Arn, UserId: AssumedRoleUser?.AssumedRoleId });
});

test('session credentials have an expiration time', async () => {
  const { assume, clock } = world();
  const { Credentials } = await assume('open', { DurationSeconds: 900 });
  expect(Credentials?.Expiration?.getTime()).toBe(clock.now() + 900_000);
});

test('a role can be assumed only by a principal that it trusts, and only if it exists', async () => {
  const { assume } = world();
  await expect(assume('lambda-only')).rejects.toMatchObject({ name: 'AccessDenied' });
  await expect(assume('nowhere')).rejects.toMatchObject({ name: 'AccessDenied' });
});

test.each([
  [{ DurationSeconds: 899 }, 'at least 900'],
  [{ DurationSeconds: 3601 }, 'MaxSessionDuration'],
  [{ RoleSessionName: 'with space' }, 'roleSessionName'],
  [{ Policy: '{}' }, 'session policies'],
])('AssumeRole with %o is refused', async (more, message) => {
  const { assume } = world();
  await expect(assume('open', more)).rejects.toThrow(message);
});
