import { AwsError } from '@drover/cloud-sandbox/aws';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDroverWorld, type DroverWorld } from '../../local/world/drover-world.ts';
import {
  askWebhook,
  iamToken,
  launchWithProfile,
  mappingParameter,
  putParameter,
  reviewOf,
  roleNamed,
  webhookSecret as secret,
  secretParameter,
} from '../../local/world/identity-world.ts';

let world: DroverWorld;

beforeEach(() => {
  world = createDroverWorld();
  put(secretParameter, JSON.stringify({ current: secret }), 'SecureString');
});

const tokenOf = (roleName: string, sessionName: string, cluster?: string) =>
  iamToken(world, { roleName, sessionName, cluster });
const put = (...parameter: Parameter) => putParameter(world, ...parameter);
const post = (...request: Request) => askWebhook(world, ...request);
type Parameter = Tail<typeof putParameter>;
type Request = Tail<typeof askWebhook>;
type Tail<Call> = Call extends (world: DroverWorld, ...rest: infer Rest) => unknown ? Rest : never;

const devs = `
mapRoles:
  - rolearn: arn:aws:iam::123456789012:role/team/dev
    username: dev:{{SessionName}}
    groups: [devs]
`;

describe('the token webhook, as deployed', () => {
  it('authenticates a mapped identity, in the version of the request', async () => {
    put(mappingParameter, devs);
    for (const version of ['v1', 'v1beta1'])
      expect(await post(reviewOf(await tokenOf('dev', 'ann@example.com'), version))).toMatchObject({
        statusCode: 200,
        body: {
          apiVersion: `authentication.k8s.io/${version}`,
          kind: 'TokenReview',
          status: {
            authenticated: true,
            user: {
              username: 'dev:ann-example.com',
              uid: expect.stringMatching(/^aws-iam-authenticator:123456789012:AROA/),
              groups: ['devs'],
              extra: {
                canonicalArn: ['arn:aws:iam::123456789012:role/dev'],
                sessionName: ['ann@example.com'],
              },
            },
          },
        },
      });
    expect(world.problems).toEqual([]);
  });

  it('refuses an unmapped identity, and one that was removed from the mapping', async () => {
    const denied = { statusCode: 200, body: { status: { authenticated: false } } };
    const token = await tokenOf('dev', 'ann');
    expect(await post(reviewOf(token))).toMatchObject(denied);
    put(mappingParameter, devs);
    await world.timeline.pass(31);
    expect(await post(reviewOf(token))).toMatchObject({ body: { status: { authenticated: true } } });
    put(mappingParameter, 'mapRoles: []');
    await world.timeline.pass(31);
    expect(await post(reviewOf(token))).toMatchObject(denied);
  });

  it('refuses a token for another cluster, and any token after 15 minutes', async () => {
    put(mappingParameter, devs);
    const [own, other] = [await tokenOf('dev', 'ann'), await tokenOf('dev', 'ann', 'other')];
    const authenticated = async (token: string) => (await post(reviewOf(token))).body.status.authenticated;
    expect([await authenticated(own), await authenticated(other)]).toEqual([true, false]);
    await world.timeline.pass(901);
    expect(await authenticated(own)).toBe(false);
  });

  it('gives the name of a node only to a running instance with that role in its profile', async () => {
    put(
      mappingParameter,
      `mapRoles:
  - rolearn: arn:aws:iam::123456789012:role/node
    username: system:node:{{EC2PrivateDNSName}}
    groups: [system:bootstrappers, system:nodes]
`,
    );
    roleNamed(world, 'node');
    const [node, stranger] = [launchWithProfile(world, 'node'), launchWithProfile(world, 'dev')];
    const userOf = async (sessionName: string) =>
      (await post(reviewOf(await tokenOf('node', sessionName)))).body.status.user?.username;
    expect(await userOf(node.id)).toBe(`system:node:${node.name}`);
    expect(await userOf(stranger.id)).toBeUndefined();
    expect(await userOf('i-0fffffffffffffff0')).toBeUndefined();
    expect(await userOf('ann')).toBeUndefined();
    world.account.ec2.operations.TerminateInstances({ InstanceIds: [node.id] });
    await world.timeline.pass(120);
    expect(await userOf(node.id)).toBeUndefined();
    expect(world.problems).toEqual([]);
  });

  describe('while AWS refuses calls for their rate', () => {
    const nodes = `mapRoles:
  - rolearn: arn:aws:iam::123456789012:role/node
    username: system:node:{{EC2PrivateDNSName}}
    groups: [system:nodes]
`;
    const refusals: Readonly<Record<string, AwsError>> = {
      ec2: new AwsError({
        code: 'RequestLimitExceeded',
        message: 'Request limit exceeded.',
        statusCode: 503,
      }),
      ssm: new AwsError({ code: 'ThrottlingException', message: 'Rate exceeded' }),
    };
    const usual = new AwsError({ code: 'Throttling', message: 'Rate exceeded' });

    function nodesThatLogIn() {
      let refused: readonly string[] = [];
      const calls: string[] = [];
      world = createDroverWorld({
        weather: {
          onCall: ({ what }) => calls.push(what),
          strike: ({ what, caller }) => {
            const service = what.split(' ')[0] ?? '';
            return caller === 'token-webhook' && refused.includes(service)
              ? { kind: 'aws-error', error: refusals[service] ?? usual }
              : undefined;
          },
        },
      });
      put(secretParameter, JSON.stringify({ current: secret }), 'SecureString');
      put(mappingParameter, nodes);
      roleNamed(world, 'node');
      return {
        calls,
        refuse: (...services: readonly string[]) => {
          refused = services;
        },
        launch: () => launchWithProfile(world, 'node'),
        review: async (token: string) => {
          const { statusCode, body } = await post(reviewOf(token));
          return statusCode === 200 ? (body.status.user?.username ?? 'no') : statusCode;
        },
      };
    }

    it('a node that logged in within ten minutes gets no 503, whichever service refuses', async () => {
      const { launch, refuse, review } = nodesThatLogIn();
      const node = launch();
      const token = await tokenOf('node', node.id);
      expect(await review(token)).toBe(`system:node:${node.name}`);
      refuse('sts', 'ec2', 'iam', 'ssm');
      for (let minute = 1; minute < 10; minute += 1) {
        await world.timeline.pass(60);
        expect(await review(token)).toBe(`system:node:${node.name}`);
      }
      await world.timeline.pass(90);
      const tooLate = review(token);
      await world.timeline.pass(20);
      expect(await tooLate).toBe(503);
      expect(world.problems).toEqual([]);
    });

    it('a new node gets 503, which the API server does not keep, and logs in when EC2 answers again', async () => {
      const { launch, refuse, review } = nodesThatLogIn();
      await review(await tokenOf('node', launch().id));
      await world.timeline.pass(20);
      const late = launch();
      const token = await tokenOf('node', late.id);
      refuse('ec2');
      expect(await review(token)).toBe(503);
      refuse();
      await world.timeline.pass(8);
      expect(await review(token)).toBe(`system:node:${late.name}`);
    });

    it('a new environment waits some seconds for its first list, and then knows all nodes', async () => {
      const { launch, refuse, review, calls } = nodesThatLogIn();
      const [node, other] = [launch(), launch()];
      refuse('ec2', 'ssm');
      const asked = review(await tokenOf('node', node.id));
      await world.timeline.pass(1);
      refuse();
      await world.timeline.pass(5);
      expect(await asked).toBe(`system:node:${node.name}`);
      calls.length = 0;
      expect(await review(await tokenOf('node', other.id))).toBe(`system:node:${other.name}`);
      expect(calls).toEqual(['sts GetCallerIdentity']);
    });
  });

  it('makes no call to AWS for a thousand other bearer tokens, except to read the secret', async () => {
    const calls: string[] = [];
    world = createDroverWorld({ weather: { onCall: ({ what }) => calls.push(what) } });
    put(secretParameter, JSON.stringify({ current: secret }), 'SecureString');
    for (let number = 0; number < 1000; number += 1)
      expect((await post(reviewOf(`eyJhbGciOiJSUzI1NiJ9.${number}.x`))).body.status).toEqual({
        authenticated: false,
      });
    expect(calls).toEqual(['ssm GetParameters']);
    expect(world.lines.filter(({ functionName }) => functionName.endsWith('token-webhook'))).toEqual([]);
  });

  it('logs nothing for a bearer token that is too long for an IAM token', async () => {
    expect((await post(reviewOf('x'.repeat(5000)))).body.status).toEqual({ authenticated: false });
    expect((await post(reviewOf(`k8s-aws-v1.${'A'.repeat(5000)}`))).body.status).toEqual({
      authenticated: false,
    });
    expect(world.lines.filter(({ functionName }) => functionName.endsWith('token-webhook'))).toEqual([]);
  });

  it('makes no call to STS for a thousand tokens that only begin like IAM tokens', async () => {
    const calls: string[] = [];
    world = createDroverWorld({ weather: { onCall: ({ what }) => calls.push(what) } });
    put(secretParameter, JSON.stringify({ current: secret }), 'SecureString');
    const token = await tokenOf('dev', 'ann');
    for (let number = 0; number < 1000; number += 1) {
      const other = `${token.slice(0, 11 + (number % (token.length - 20)))}${number}`;
      expect((await post(reviewOf(other))).body.status).toEqual({ authenticated: false });
    }
    expect([...new Set(calls)].filter((what) => !what.startsWith('ssm'))).toEqual([]);
  });

  it('answers 503, and never a verdict, while STS does not respond', async () => {
    world = createDroverWorld({
      weather: { strike: ({ what }) => (what.startsWith('sts') ? { kind: 'hang-before' } : undefined) },
    });
    put(secretParameter, JSON.stringify({ current: secret }), 'SecureString');
    put(mappingParameter, devs);
    const token = await tokenOf('dev', 'ann');
    const asked = post(reviewOf(token));
    await world.timeline.pass(12);
    expect(await asked).toMatchObject({ statusCode: 503 });
  });

  it('works for ten minutes while Parameter Store is unavailable, and then admits no identity', async () => {
    let isAway = false;
    world = createDroverWorld({
      weather: {
        strike: ({ what }) => (isAway && what.startsWith('ssm') ? { kind: 'fail-before' } : undefined),
      },
    });
    put(secretParameter, JSON.stringify({ current: secret }), 'SecureString');
    put(mappingParameter, devs);
    const authenticated = async () => {
      const { statusCode, body } = await post(reviewOf(await tokenOf('dev', 'ann')));
      return statusCode === 200 ? body.status.authenticated : statusCode;
    };
    expect(await authenticated()).toBe(true);
    isAway = true;
    await world.timeline.pass(590);
    expect(await authenticated()).toBe(true);
    await world.timeline.pass(30);
    expect(await authenticated()).toBe(503);
  });

  it('works for ten minutes with a mapping that was broken as a whole, reports it, and then admits no identity', async () => {
    put(mappingParameter, devs);
    const whoIs = async (role: string) => {
      const { statusCode, body } = await post(reviewOf(await tokenOf(role, 'ann')));
      return statusCode === 200 ? body.status.authenticated : statusCode;
    };
    expect(await whoIs('dev')).toBe(true);
    put(mappingParameter, `${devs}: [`);
    await world.timeline.pass(590);
    expect([await whoIs('dev'), await whoIs('stranger')]).toEqual([true, false]);
    expect(world.lines).toContainEqual(
      expect.objectContaining({
        level: 'error',
        error: expect.objectContaining({
          message: expect.stringMatching(/identity-mapping is broken.*it is not YAML.*write \{\}/),
        }),
      }),
    );
    expect(world.lines).toContainEqual(expect.objectContaining({ IdentityMappingBroken: 1 }));
    await world.timeline.pass(30);
    expect(await whoIs('dev')).toBe(503);
    put(mappingParameter, devs);
    await world.timeline.pass(1);
    expect(await whoIs('dev')).toBe(true);
    put(mappingParameter, '{}');
    await world.timeline.pass(31);
    expect(await whoIs('dev')).toBe(false);
  });

  it('answers within ten seconds, and then at once, while Parameter Store hangs', async () => {
    let hangs = false;
    const calls: string[] = [];
    world = createDroverWorld({
      weather: {
        onCall: ({ what }) => calls.push(what),
        strike: ({ what }) => (hangs && what.startsWith('ssm') ? { kind: 'hang-before' } : undefined),
      },
    });
    put(secretParameter, JSON.stringify({ current: secret }), 'SecureString');
    put(mappingParameter, devs);
    const token = await tokenOf('dev', 'ann');
    expect((await post(reviewOf(token))).body.status.authenticated).toBe(true);
    hangs = true;
    await world.timeline.pass(31);
    const asked = post(reviewOf(token));
    await world.timeline.pass(11);
    expect((await asked).body.status.authenticated).toBe(true);
    calls.length = 0;
    expect((await post(reviewOf(token))).body.status.authenticated).toBe(true);
    expect(calls).toEqual(['sts GetCallerIdentity']);
  });

  it.each([
    ['another secret', { bearer: 'x'.repeat(40) }, 403],
    ['no secret', { bearer: '' }, 403],
    ['another path', { path: '/healthz' }, 404],
    ['another method', { method: 'GET' }, 405],
  ])('refuses a caller with %s', async (_, options, statusCode) => {
    expect((await post(reviewOf('x'), options)).statusCode).toBe(statusCode);
  });

  it('accepts the previous secret while the API servers get a new one', async () => {
    put(secretParameter, JSON.stringify({ current: 'n'.repeat(40), previous: secret }), 'SecureString');
    expect((await post(reviewOf('x'))).statusCode).toBe(200);
    expect((await post(reviewOf('x'), { bearer: 'n'.repeat(40) })).statusCode).toBe(200);
    put(secretParameter, JSON.stringify({ current: 'n'.repeat(40) }), 'SecureString');
    await world.timeline.pass(31);
    expect((await post(reviewOf('x'))).statusCode).toBe(403);
  });

  it.each([
    ['no JSON', 'hello', 400],
    ['another kind', { ...reviewOf('x'), kind: 'SubjectAccessReview' }, 400],
    ['another version', reviewOf('x', 'v2'), 400],
    ['no token', { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: {} }, 400],
    ['a megabyte', 'x'.repeat(1_000_000), 413],
  ])('refuses a body with %s', async (_, body, statusCode) => {
    expect((await post(body)).statusCode).toBe(statusCode);
  });

  it('answers 503 if its secret is missing or malformed, and logs the remedy', async () => {
    put(secretParameter, '{"current":"short"}', 'SecureString');
    expect((await post(reviewOf('x'))).statusCode).toBe(503);
    expect(JSON.stringify(world.lines)).toContain('docs/identity.md');
  });

  it('logs no part of a token and no secret', async () => {
    put(mappingParameter, devs);
    const token = await tokenOf('dev', 'ann');
    await post(reviewOf(token));
    await post(reviewOf(`${token}A`));
    const log = JSON.stringify(world.lines);
    expect(log).toContain('dev:ann');
    expect(log).not.toContain(token.slice(11, 60));
    expect(log).not.toContain(secret);
  });
});
