import { beforeEach, describe, expect, it } from 'vitest';
import { publishKubeconfig } from '../../local/cloud/furnish.ts';
import {
  createDroverWorld,
  type DroverWorld,
  type DroverWorldOptions,
} from '../../local/world/drover-world.ts';
import {
  askWebhook,
  awsAuth,
  iamToken,
  mappingParameter,
  putParameter,
  reviewOf,
  secretParameter,
  webhookSecret,
} from '../../local/world/identity-world.ts';

let world: DroverWorld;
let trouble: 'none' | 'fail-before' | 'hang-before';
let calls: string[];

const entry = (role: string, username: string, group = 'devs') =>
  `- rolearn: arn:aws:iam::123456789012:role/${role}\n  username: ${username}\n  groups: [${group}]\n`;

function open(options: DroverWorldOptions = {}): void {
  trouble = 'none';
  calls = [];
  world = createDroverWorld({
    weather: {
      onCall: ({ what }) => calls.push(what),
      strike: ({ to }) => (to === 'kubernetes' && trouble !== 'none' ? { kind: trouble } : undefined),
    },
    ...options,
  });
  putParameter(world, secretParameter, JSON.stringify({ current: webhookSecret }), 'SecureString');
}

const withConfigMapMode =
  (mode: 'off' | 'limited' | 'trusted'): DroverWorldOptions['editWiring'] =>
  (wiring) => ({
    ...wiring,
    functions: wiring.functions.map((one) =>
      one.name === 'token-webhook'
        ? { ...one, environment: { ...one.environment, DROVER_IDENTITY_CONFIG_MAP: mode } }
        : one,
    ),
  });

/** The name of the user, `false` if it is not authenticated, or the status code of an error. */
async function whoIs(roleName: string): Promise<string | false | number> {
  const { statusCode, body } = await askWebhook(
    world,
    reviewOf(await iamToken(world, { roleName, sessionName: 'ann' })),
  );
  if (statusCode !== 200) return statusCode;
  return body.status.authenticated ? body.status.user.username : false;
}

beforeEach(() => open());

describe('the ConfigMap kube-system/aws-auth', () => {
  it('admits a user, and no longer once the entry is removed', async () => {
    expect(await whoIs('dev')).toBe(false);
    awsAuth(world, { mapRoles: entry('dev', 'dev:{{SessionName}}') });
    await world.timeline.pass(31);
    expect(await whoIs('dev')).toBe('dev:ann');
    awsAuth(world, { mapRoles: '[]' });
    await world.timeline.pass(31);
    expect(await whoIs('dev')).toBe(false);
    expect(world.problems).toEqual([]);
  });

  it('comes after the parameter, which decides for an identity that both name', async () => {
    putParameter(world, mappingParameter, `mapRoles:\n${entry('dev', 'of-the-parameter')}`);
    awsAuth(world, { mapRoles: entry('dev', 'of-the-cluster') + entry('ops', 'ops') });
    expect([await whoIs('dev'), await whoIs('ops')]).toEqual(['of-the-parameter', 'ops']);
    const said = world.lines.flatMap(({ by }) => (by === undefined ? [] : [by]));
    expect(said).toEqual([
      `${mappingParameter} mapRoles arn:aws:iam::123456789012:role/dev`,
      'aws-auth mapRoles arn:aws:iam::123456789012:role/ops',
    ]);
  });

  it('keeps its good entries beside bad ones, and the log names those', async () => {
    awsAuth(world, {
      mapRoles: `${entry('dev', 'dev')}- rolearn: nonsense\n  username: x\n`,
      mapUsers: '{ broken',
    });
    expect(await whoIs('dev')).toBe('dev');
    expect(world.lines).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          source: 'aws-auth',
          problem: 'mapRoles[1]: rolearn is not the ARN of a role',
        }),
        expect.objectContaining({ problem: expect.stringMatching(/^mapUsers: it is not YAML/) }),
      ]),
    );
  });

  it('does not replace a parameter that is broken as a whole, which takes precedence', async () => {
    awsAuth(world, { mapRoles: entry('dev', 'of-the-cluster') });
    putParameter(world, mappingParameter, `mapRoles:\n${entry('dev', 'of-the-parameter')}`);
    expect(await whoIs('dev')).toBe('of-the-parameter');
    putParameter(world, mappingParameter, 'mapRoles: [');
    await world.timeline.pass(31);
    expect(await whoIs('dev')).toBe('of-the-parameter');
    await world.timeline.pass(600);
    expect(await whoIs('dev')).toBe(503);
  });

  it('is used for ten minutes if it is broken as a whole, and the parameter without a limit', async () => {
    putParameter(world, mappingParameter, `mapRoles:\n${entry('admin', 'admin')}`);
    awsAuth(world, { mapRoles: entry('dev', 'dev') });
    expect(await whoIs('dev')).toBe('dev');
    awsAuth(world, { mapRoles: '{ broken', mapUsers: '[]' });
    await world.timeline.pass(31);
    expect(await whoIs('dev')).toBe('dev');
    await world.timeline.pass(600);
    expect([await whoIs('dev'), await whoIs('admin')]).toEqual([503, 'admin']);
  });

  it('gives system:masters only if the deployment trusts it', async () => {
    const masters = { mapRoles: entry('admin', 'admin', 'system:masters') };
    awsAuth(world, masters);
    expect(await whoIs('admin')).toBe(false);
    open({ editWiring: withConfigMapMode('trusted') });
    awsAuth(world, masters);
    expect(await whoIs('admin')).toBe('admin');
  });

  it('is not read if the deployment leaves it out', async () => {
    open({ editWiring: withConfigMapMode('off') });
    awsAuth(world, { mapRoles: entry('dev', 'dev') });
    expect(await whoIs('dev')).toBe(false);
    expect(calls.filter((what) => what.includes('configmaps'))).toEqual([]);
  });

  it('is not read for an identity of the parameter, nor again within 30 seconds', async () => {
    putParameter(world, mappingParameter, `mapRoles:\n${entry('dev', 'dev')}`);
    awsAuth(world, { mapRoles: entry('ops', 'ops') });
    calls.length = 0;
    await whoIs('dev');
    expect(calls.filter((what) => what.includes('configmaps'))).toEqual([]);
    for (let time = 0; time < 3; time += 1) expect(await whoIs('ops')).toBe('ops');
    expect(calls.filter((what) => what.includes('configmaps'))).toHaveLength(1);
  });
});

describe('while the API server is unavailable', () => {
  it('its last value is used for ten minutes, and then its users are refused, but not those of the parameter', async () => {
    putParameter(world, mappingParameter, `mapRoles:\n${entry('admin', 'admin')}`);
    awsAuth(world, { mapRoles: entry('dev', 'dev') });
    expect(await whoIs('dev')).toBe('dev');
    trouble = 'fail-before';
    await world.timeline.pass(590);
    expect(await whoIs('dev')).toBe('dev');
    await world.timeline.pass(30);
    expect([await whoIs('dev'), await whoIs('stranger'), await whoIs('admin')]).toEqual([503, 503, 'admin']);
    trouble = 'none';
    expect(await whoIs('dev')).toBe('dev');
  });

  it('answers within the timeout of the API server, and then at once, if the cluster hangs', async () => {
    awsAuth(world, { mapRoles: entry('dev', 'dev') });
    expect(await whoIs('dev')).toBe('dev');
    trouble = 'hang-before';
    await world.timeline.pass(31);
    const started = world.clock.now();
    const asked = whoIs('dev').then((user) => [user, world.clock.now() - started]);
    await world.timeline.pass(30);
    const [user, milliseconds] = await asked;
    expect(user).toBe('dev');
    expect(milliseconds).toBeLessThanOrEqual(6000);
    calls.length = 0;
    expect(await whoIs('dev')).toBe('dev');
    expect(calls.filter((what) => what.includes('configmaps'))).toEqual([]);
  });

  it('answers 503 in time if it has never responded', async () => {
    trouble = 'hang-before';
    const started = world.clock.now();
    const asked = whoIs('dev').then((status) => [status, world.clock.now() - started] as const);
    await world.timeline.pass(30);
    const [status, milliseconds] = await asked;
    expect(status).toBe(503);
    expect(milliseconds).toBeLessThan(25_000);
  });

  it('answers 503, and logs the reason, if Drover is not allowed to read it', async () => {
    open({
      editRbac: (manifests) =>
        manifests.filter(({ metadata }) => metadata?.name !== 'drover-identity-mapping'),
    });
    awsAuth(world, { mapRoles: entry('dev', 'dev') });
    expect(await whoIs('dev')).toBe(503);
    expect(JSON.stringify(world.lines)).toContain('aws-auth');
  });
});

it('answers before the function is stopped, if everything hangs after STS', async () => {
  let isHanging = false;
  open({
    weather: {
      strike: ({ what, to }) =>
        isHanging && (what.startsWith('ssm') || to === 'kubernetes') ? { kind: 'hang-before' } : undefined,
    },
  });
  const token = await iamToken(world, { roleName: 'dev', sessionName: 'ann' });
  isHanging = true;
  const started = world.clock.now();
  const asked = askWebhook(world, reviewOf(token)).then(({ statusCode }) => [
    statusCode,
    world.clock.now() - started,
  ]);
  await world.timeline.pass(30);
  const [statusCode, milliseconds] = await asked;
  expect(statusCode).toBe(503);
  expect(milliseconds).toBeLessThan(25_000);
});

it('never logs in through itself: a kubeconfig with an IAM token is refused, without a call to the cluster', async () => {
  awsAuth(world, { mapRoles: entry('dev', 'dev') });
  publishKubeconfig(world, {
    parameterName: world.lambda.functionOf('token-webhook').environment.DROVER_KUBECONFIG_PARAMETER ?? '',
    server: 'https://kubernetes.sandbox',
    certificateAuthority: '',
    token: await iamToken(world, { roleName: 'drover', sessionName: 'webhook' }),
  });
  calls.length = 0;
  expect(await whoIs('dev')).toBe(503);
  expect(calls.filter((what) => what.includes('configmaps'))).toEqual([]);
  expect(JSON.stringify(world.lines)).toContain('logs in by an IAM token');
});
