import { createPublicKey, verify } from 'node:crypto';
import {
  DisableOutboundWebIdentityFederationCommand,
  EnableOutboundWebIdentityFederationCommand,
  GetOutboundWebIdentityFederationInfoCommand,
  IAMClient,
} from '@aws-sdk/client-iam';
import {
  GetWebIdentityTokenCommand,
  type GetWebIdentityTokenCommandInput,
  STSClient,
} from '@aws-sdk/client-sts';
import { beforeEach, describe, expect, test } from 'vitest';
import { createAwsFront } from '../../../src/aws/front/front.ts';
import { createInProcessHandler } from '../../../src/aws/front/in-process.ts';
import { createAuthorizer } from '../../../src/aws/iam/authorizer.ts';
import { administratorAccess, createIam } from '../../../src/aws/iam/iam.ts';
import { createIamApi } from '../../../src/aws/iam/iam-api.ts';
import { createSts } from '../../../src/aws/sts/sts.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { accountId, region } from '../support/test-front.ts';

const clock = createManualClock();

function world() {
  const iam = createIam({ clock, random: createRandom(1), accountId });
  const authorize = createAuthorizer({
    accountId,
    region,
    clock,
    lookup: {
      tags: () => undefined,
      autoScalingGroupArn: () => undefined,
      autoScalingGroupOfInstance: () => undefined,
      parameterKeyArn: () => undefined,
      roleBoundary: () => undefined,
    },
    policiesOf: (principal) => iam.policiesOf(principal),
    roleArnOf: (principal) => iam.roleArnOf(principal),
    resourcePolicyOf: () => undefined,
  });
  const front = createAwsFront({
    services: [createSts({ iam, clock, random: createRandom(2), region }), createIamApi({ iam, accountId })],
    findIdentity: iam.findIdentity,
    authorize,
    clock,
    random: createRandom(3),
  });
  const settings = { region, requestHandler: createInProcessHandler({ front }), maxAttempts: 1 };
  const user = iam.putUser({ userName: 'admin', policies: [administratorAccess] });
  const admin = { accessKeyId: user.accessKeyId, secretAccessKey: user.secretAccessKey };
  const roleWith = (...statements: readonly object[]) =>
    iam.putRole({
      roleName: 'worker',
      policies: [{ Version: '2012-10-17', Statement: statements }],
      trustPolicy: { Version: '2012-10-17', Statement: [] },
    }).arn;
  const ask = (
    credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined },
    input: Partial<GetWebIdentityTokenCommandInput> = {},
  ) => {
    const { accessKeyId, secretAccessKey, sessionToken } = credentials;
    const sts = new STSClient({
      ...settings,
      credentials: { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) },
    });
    return sts.send(
      new GetWebIdentityTokenCommand({ Audience: ['drover:prod'], SigningAlgorithm: 'ES384', ...input }),
    );
  };
  return { iam, admin, roleWith, ask, iamClient: new IAMClient({ ...settings, credentials: admin }) };
}

const parts = (token = '') =>
  token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));

const allowed = { Effect: 'Allow', Action: 'sts:GetWebIdentityToken', Resource: '*' };
let now: ReturnType<typeof world>;

beforeEach(() => {
  now = world();
});

describe('the account', () => {
  test('gives out no token and has no issuer until federation is enabled', async () => {
    await expect(now.ask(now.admin)).rejects.toMatchObject({
      name: 'OutboundWebIdentityFederationDisabledException',
      $metadata: { httpStatusCode: 403 },
    });
    const info = () => now.iamClient.send(new GetOutboundWebIdentityFederationInfoCommand({}));
    await expect(info()).rejects.toMatchObject({ name: 'FeatureDisabledException' });
    expect(now.iam.tokenIssuer.document('/.well-known/jwks.json')).toBeUndefined();
    const enabled = await now.iamClient.send(new EnableOutboundWebIdentityFederationCommand({}));
    expect(enabled.IssuerIdentifier).toMatch(/^https:\/\/[0-9a-f-]{36}\.tokens\.sts\.global\.api\.aws$/);
    expect(await info()).toMatchObject({
      IssuerIdentifier: enabled.IssuerIdentifier,
      JwtVendingEnabled: true,
    });
  });

  test('is switched once each way, and keeps its issuer', async () => {
    const enable = () => now.iamClient.send(new EnableOutboundWebIdentityFederationCommand({}));
    const disable = () => now.iamClient.send(new DisableOutboundWebIdentityFederationCommand({}));
    const { IssuerIdentifier } = await enable();
    await expect(enable()).rejects.toMatchObject({ name: 'FeatureEnabledException' });
    await disable();
    await expect(disable()).rejects.toMatchObject({ name: 'FeatureDisabledException' });
    await expect(now.ask(now.admin)).rejects.toMatchObject({
      name: 'OutboundWebIdentityFederationDisabledException',
    });
    expect(await enable()).toMatchObject({ IssuerIdentifier });
  });
});

describe('a token', () => {
  beforeEach(() => now.iam.tokenIssuer.enable());

  test('names the role and the instance, below the claim of STS', async () => {
    const roleArn = now.roleWith(allowed);
    const arn = `arn:aws:ec2:${region}:${accountId}:instance/i-0aaaaaaaaaaaaaaa1`;
    const credentials = now.iam.issueCredentials({
      roleArn,
      sessionName: 'i-0aaaaaaaaaaaaaaa1',
      durationSeconds: 21_600,
      instance: { arn, vpcId: 'vpc-0aaaaaaaaaaaaaaa1', privateIpv4: '10.0.0.1' },
    });
    const { WebIdentityToken, Expiration } = await now.ask(credentials);
    const issuedAt = Math.floor(clock.now() / 1000);
    expect(parts(WebIdentityToken)).toEqual([
      { kid: 'EC384_0', typ: 'JWT', alg: 'ES384' },
      {
        iss: now.iam.tokenIssuer.url(),
        aud: 'drover:prod',
        sub: roleArn,
        iat: issuedAt,
        exp: issuedAt + 300,
        jti: expect.any(String),
        'https://sts.amazonaws.com/': {
          aws_account: accountId,
          source_region: region,
          principal_id: roleArn,
          original_session_exp: new Date(clock.now() + 21_600_000).toISOString(),
          ec2_source_instance_arn: arn,
          ec2_instance_source_vpc: 'vpc-0aaaaaaaaaaaaaaa1',
          ec2_instance_source_private_ipv4: '10.0.0.1',
          ec2_role_delivery: '2.0',
        },
      },
    ]);
    expect(Expiration).toEqual(new Date((issuedAt + 300) * 1000));
  });

  test('of a user and of a session that is not of an instance names no instance', async () => {
    const [, ofUser] = parts((await now.ask(now.admin)).WebIdentityToken);
    expect(ofUser.sub).toBe(`arn:aws:iam::${accountId}:user/admin`);
    const credentials = now.iam.issueCredentials({
      roleArn: now.roleWith(allowed),
      sessionName: 'i-0aaaaaaaaaaaaaaa1',
      durationSeconds: 3600,
    });
    const [, ofSession] = parts((await now.ask(credentials)).WebIdentityToken);
    for (const claims of [ofUser, ofSession])
      expect(
        Object.keys(claims['https://sts.amazonaws.com/']).filter((name) => name.startsWith('ec2_')),
      ).toEqual([]);
  });

  test.each(['RS256', 'ES384'] as const)(
    'of %s is signed by the key that the issuer shows',
    async (algorithm) => {
      const { WebIdentityToken = '' } = await now.ask(now.admin, { SigningAlgorithm: algorithm });
      const [{ kid }] = parts(WebIdentityToken);
      const { keys } = now.iam.tokenIssuer.document('/.well-known/jwks.json') as { keys: { kid: string }[] };
      const key = createPublicKey({ key: keys.find((one) => one.kid === kid) as never, format: 'jwk' });
      const [header, payload, signature = ''] = WebIdentityToken.split('.');
      expect(
        verify(
          algorithm === 'RS256' ? 'sha256' : 'sha384',
          Buffer.from(`${header}.${payload}`),
          { key, dsaEncoding: 'ieee-p1363' },
          Buffer.from(signature, 'base64url'),
        ),
      ).toBe(true);
      expect(now.iam.tokenIssuer.document('/.well-known/openid-configuration')).toMatchObject({
        issuer: now.iam.tokenIssuer.url(),
        jwks_uri: `${now.iam.tokenIssuer.url()}/.well-known/jwks.json`,
      });
      expect(now.iam.tokenIssuer.document('/')).toBeUndefined();
    },
  );

  test.each([
    ['no audience', { Audience: [] }],
    ['an empty audience', { Audience: [''] }],
    ['too many audiences', { Audience: Array.from({ length: 11 }, (_, one) => `a${one}`) }],
    ['less than a minute', { DurationSeconds: 59 }],
    ['more than an hour', { DurationSeconds: 3601 }],
    ['another algorithm', { SigningAlgorithm: 'HS256' }],
  ])('is not given for %s', async (_, input) => {
    await expect(now.ask(now.admin, input)).rejects.toMatchObject({ name: 'ValidationError' });
  });

  test('does not outlive the session that asks', async () => {
    const credentials = now.iam.issueCredentials({
      roleArn: now.roleWith(allowed),
      sessionName: 's',
      durationSeconds: 900,
    });
    await expect(now.ask(credentials, { DurationSeconds: 901 })).rejects.toMatchObject({
      name: 'SessionDurationEscalationException',
    });
    expect((await now.ask(credentials, { DurationSeconds: 900 })).WebIdentityToken).toBeDefined();
  });

  test('has several audiences as a list', async () => {
    const { WebIdentityToken } = await now.ask(now.admin, { Audience: ['a', 'b'] });
    expect(parts(WebIdentityToken)[1].aud).toEqual(['a', 'b']);
  });
});

test('policies bound the audience and the lifetime, and tags need a permission of their own', async () => {
  now.iam.tokenIssuer.enable();
  const roleArn = now.roleWith({
    ...allowed,
    Condition: {
      'ForAllValues:StringEquals': { 'sts:IdentityTokenAudience': 'drover:prod' },
      NumericLessThanEquals: { 'sts:DurationSeconds': 300 },
    },
  });
  const credentials = now.iam.issueCredentials({ roleArn, sessionName: 's', durationSeconds: 3600 });
  expect((await now.ask(credentials)).WebIdentityToken).toBeDefined();
  for (const input of [
    { Audience: ['other'] },
    { Audience: ['drover:prod', 'other'] },
    { DurationSeconds: 301 },
    { Tags: [{ Key: 'k', Value: 'v' }] },
  ])
    await expect(now.ask(credentials, input)).rejects.toMatchObject({ name: 'AccessDenied' });
});
