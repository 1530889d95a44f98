import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { createHttpApi, createIamAuthorizer } from '@drover/cloud-sandbox/lambda';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayRefusalText } from '../../../cli/scale-api/gateway-refusal.ts';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { eventually } from '../../support/eventually.ts';
import { runDrover, sendToHttpApi } from '../run-drover.ts';

let world: DroverWorld;

beforeEach(async () => {
  world = createDroverWorld();
  await withWorkers(world, { size: 1 });
});

const allow = (...actions: readonly string[]) => [
  { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: actions, Resource: '*' }] },
];

const url = 'https://sandbox.execute-api.eu-west-1.amazonaws.com';

/** `drover` before API Gateway, with STS beside it, for a user who may do these actions. */
function operator(actions: readonly string[] = ['execute-api:Invoke']) {
  const { account, clock, doors, lambda, timeline, wiring } = world;
  const user = account.iam.putUser({ userName: 'pipeline', policies: allow(...actions) });
  const authorize = createIamAuthorizer({ iam: account.iam, clock, signingClock: clock });
  const api = createHttpApi({ wiring, lambda, clock, random: createRandom(9), authorize });
  return (line: string, environment: Readonly<Record<string, string>> = {}) =>
    runDrover(line, {
      environment: {
        DROVER_API_URL: url,
        AWS_ACCESS_KEY_ID: user.accessKeyId,
        AWS_SECRET_ACCESS_KEY: user.secretAccessKey,
        ...environment,
      },
      clock,
      pause: (milliseconds) => timeline.pass(milliseconds / 1000),
      sendHttp: sendToHttpApi(api),
      awsRequestHandler: doors('operator').awsRequestHandler,
    });
}

const trustPolicy = {
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { AWS: '123456789012' } }],
};

/** The credentials of a session of a role, in the environment. */
function session(durationSeconds: number): Record<string, string> {
  const { iam } = world.account;
  const roleName = 'operators';
  iam.putRole({ roleName, policies: allow('execute-api:Invoke'), trustPolicy });
  const credentials = iam.issueCredentials({
    roleArn: `arn:aws:iam::123456789012:role/${roleName}`,
    sessionName: 'ana',
    durationSeconds,
  });
  return {
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_SESSION_TOKEN: credentials.sessionToken ?? '',
  };
}

describe('a request that API Gateway refuses', () => {
  it('says that the identity lacks execute-api:Invoke, where AWS knows the credentials', async () => {
    expect(await operator(['autoscaling:*'])('groups')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr:
        'drover: API Gateway refuses the request (403): arn:aws:iam::123456789012:user/pipeline may not call it; allow this identity execute-api:Invoke on the API, in the account of the API\n',
    });
  });

  it.each([
    [{ AWS_SECRET_ACCESS_KEY: 'wrong' }, /\(SignatureDoesNotMatch: .*\); check AWS_PROFILE or --profile/],
    [{ AWS_ACCESS_KEY_ID: 'AKIANOBODY' }, /\(InvalidClientTokenId: .*\); check AWS_PROFILE or --profile/],
  ])('says that AWS does not accept the credentials: %j', async (environment, words) => {
    const { exitCode, stderr } = await operator()('groups', environment);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('AWS does not accept the credentials');
    expect(stderr).toMatch(words);
    expect(stderr).not.toContain('execute-api');
  });

  it.each([
    ['Signature expired: 20260105T080000Z is now earlier than 20260105T081500Z (20260105T082000Z - 5 min.)'],
    [
      'Signature not yet current: 20260105T082000Z is still later than 20260105T080500Z (20260105T080000Z + 5 min.)',
    ],
  ])('asks to set the clock where the time of the signature is wrong: %s', (message) => {
    const text = gatewayRefusalText({
      response: { status: 403, body: '{"message":"Forbidden"}' },
      host: 'sandbox.execute-api.eu-west-1.amazonaws.com',
      region: 'eu-west-1',
      signedBy: { kind: 'refused', code: 'SignatureDoesNotMatch', message },
    });
    expect(text).toBe(
      `API Gateway refuses the request (403): AWS does not accept the credentials (SignatureDoesNotMatch: ${message}); set the clock of this machine`,
    );
  });

  it('says that the session has expired', async () => {
    const environment = session(900);
    await world.timeline.pass(901);
    const { exitCode, stderr } = await operator()('groups', environment);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /\(ExpiredToken: .*\); the session has expired: sign in again, such as with aws sso login\n$/,
    );
  });

  it('says that the region of the signature is not that of the address', async () => {
    const { exitCode, stderr } = await operator()('groups --region us-east-1');
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      'it is signed for us-east-1, and the address is of eu-west-1; leave out --region\n',
    );
  });

  it('asks about the region where the address names none', async () => {
    const { stderr } = await operator(['autoscaling:*'])('groups --region eu-west-1', {
      DROVER_API_URL: 'https://api.example',
    });
    expect(stderr).toMatch(/in the account of the API\. Is eu-west-1 its region\? If not, give --region\n$/);
  });

  it('says that it is not signed', async () => {
    const { stderr } = await operator()('groups --no-sign');
    expect(stderr).toBe(
      'drover: API Gateway refuses the request (403): it is not signed; leave out --no-sign\n',
    );
  });

  it.each(['fail-before', 'hang-before'] as const)(
    'names what to check within three seconds where STS does not answer (%s)',
    async (kind) => {
      let isAsked = false;
      const strike = ({ what }: CallInFlight): Strike | undefined => {
        if (what !== 'sts GetCallerIdentity') return undefined;
        isAsked = true;
        return { kind };
      };
      world = createDroverWorld({ weather: { strike } });
      const run = operator(['autoscaling:*'])('groups');
      // A slow machine loads the command for a while, and the time of the world does not wait for that.
      await eventually(() => expect(isAsked).toBe(true));
      await world.timeline.pass(4);
      expect((await run).stderr).toBe(
        'drover: API Gateway refuses the request (403): check the credentials with aws sts get-caller-identity, and the permission execute-api:Invoke on the API\n',
      );
    },
  );
});

describe('a request that the scale API refuses', () => {
  it('says so in its own words, and asks no STS', async () => {
    const { exitCode, stderr } = await operator()('groups');
    expect([exitCode, stderr]).toEqual([0, '']);
    const other = await operator()('groups', session(900));
    expect(other.exitCode).toBe(1);
    expect(other.stderr).toMatch(
      /^drover: The caller is not allowed to do this: the principals of this deployment do not list /,
    );
  });
});
