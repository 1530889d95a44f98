import { groupOf, putHook } from '@drover/cloud-sandbox/test/aws/support/cloud.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  askParameterOf,
  formatSeen,
  type Roll,
  type RollSeen,
  readRoll,
  rollPathsOf,
  seenParameterOf,
} from '../../../shared/roll/roll.ts';
import { begunRoll } from '../../../shared/scale-api/schemas/answers/roll.ts';
import { createScaleApiWorld, readyNode, rollQueueName, rollsOn } from './scale-api-world.ts';

const paths = rollPathsOf('drover');
let world: ReturnType<typeof createScaleApiWorld>;
let ids: readonly string[];

/** Two workers with Nodes, whose template has a newer version since, and the hook of Drover. */
function createRollWorld(options: Parameters<typeof createScaleApiWorld>[0] = { environment: rollsOn }) {
  const made = createScaleApiWorld(options);
  made.cloud.advance(120);
  putHook(made.cloud, {
    LifecycleHookName: 'drover-node-leaving',
    LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
    HeartbeatTimeout: 3600,
  });
  for (const { InstanceId = '' } of groupOf(made.cloud).Instances ?? [])
    made.cluster.nodes.set(InstanceId, readyNode(InstanceId));
  made.cloud.ec2.operations.CreateLaunchTemplateVersion({
    LaunchTemplateName: 'workers',
    SourceVersion: '1',
    LaunchTemplateData: { ImageId: 'ami-0123456789abcdef1' },
  });
  return made;
}

beforeEach(() => {
  world = createRollWorld();
  ids = (world.group().Instances ?? []).map(({ InstanceId = '' }) => InstanceId);
});

const put = (body: unknown = { groups: ['workers'] }, { name = 'june', query = '' } = {}) =>
  world.send('PUT', `/rolls/${name}${query}`, { body: JSON.stringify(body) });

const problem = (code: string) => ({ type: `https://drover.dev/problems/${code}` });

function storedRoll(name = 'june'): Roll | undefined {
  const text = world.ssm.controls.value(askParameterOf(paths, name));
  const reading = text === undefined ? undefined : readRoll(text, name);
  return reading?.kind === 'read' ? reading.value : undefined;
}

function see(state: RollSeen['state'], reason = 'because', name = 'june'): void {
  const { startedAt = 0 } = storedRoll(name) ?? {};
  const seen = { startedAt, state, reason, since: world.cloud.clock.now(), told: [] };
  const input = { Name: seenParameterOf(paths, name), Value: formatSeen(seen), Type: 'String' as const };
  world.ssm.operations.PutParameter({ ...input, Overwrite: true }, {
    principal: { accountId: '123456789012', arn: 'arn:aws:iam::123456789012:user/me' },
    requestId: 'x',
  } as never);
}

const messages = (): number => world.sqs.controls.peek(rollQueueName).length;

describe('PUT of a roll', () => {
  it('begins it with what its groups launch, leaves the pods to the first pass, and wakes that', async () => {
    const { status, body } = await put({ groups: ['workers'], surge: 2, window: 'Mon-Fri 09:00-16:00' });
    expect(status).toBe(201);
    expect(begunRoll.parse(body)).toMatchObject({
      change: 'begun',
      roll: { name: 'june', state: 'starting', asked: { wanted: 'run', surge: 2, canary: 1 } },
      preflight: {
        groups: [{ autoScalingGroupName: 'workers', instances: 2, old: 2, leftOut: 0 }],
        findings: [],
        old: ids.map((instanceId) => ({ instanceId, why: 'v1 -> v2' })),
        podsUnchecked: true,
      },
    });
    expect(storedRoll()).toMatchObject({
      groups: [{ autoScalingGroupName: 'workers', target: { main: { version: 2 } } }],
      criterion: { kind: 'changed' },
      surge: 2,
      window: 'Mon-Fri 09:00-16:00',
      wanted: 'run',
      podsUnchecked: true,
      by: 'arn:aws:iam::123456789012:user/operator',
    });
    expect(messages()).toBe(1);
    expect(world.lines.filter((line) => line.includes('begin roll')).join()).toContain('user/operator');
  });

  it('answers only the preflight in a dry run', async () => {
    const { status, body } = await put(undefined, { query: '?dryRun=true' });
    expect(status).toBe(200);
    expect(begunRoll.parse(body)).toMatchObject({ change: 'begun', preflight: { old: [{}, {}] } });
    expect(storedRoll()).toBeUndefined();
    expect(messages()).toBe(0);
  });

  it('changes nothing if it is repeated, whatever has become of the roll', async () => {
    await put();
    const before = storedRoll();
    world.cloud.advance(60);
    for (const state of [undefined, 'running', 'paused', 'stopped'] as const) {
      if (state) see(state);
      const { status, body } = await put();
      expect(status).toBe(200);
      expect(begunRoll.parse(body)).toMatchObject({ change: 'unchanged', roll: { name: 'june' } });
    }
    expect(storedRoll()).toEqual(before);
    expect(messages()).toBe(1);
  });

  it.each([
    { groups: ['workers'], surge: 2 },
    { groups: ['workers'], skipBlocked: true },
    { groups: ['workers'], criterion: { kind: 'all' } },
    { groups: ['workers'], stopOn: ['web-errors'] },
  ])('is refused if a roll of the name that runs asks for something else than %j', async (other) => {
    await put();
    see('running');
    const before = storedRoll();
    expect(await put(other)).toMatchObject({
      status: 409,
      body: { ...problem('roll-taken'), detail: expect.stringContaining('a roll june is running') },
    });
    expect(storedRoll()).toEqual(before);
  });

  it('begins one roll if two clients ask for the same at once, and refuses one of two that differ', async () => {
    // Within a millisecond both have the text of one request that the SDK repeats, so both have begun it.
    const same = await Promise.all([put(), put()]);
    expect(same.map(({ status }) => status)).toEqual([201, 201]);
    const begun = storedRoll();
    world.cloud.advance(1);
    expect((await put()).status).toBe(200);
    expect(storedRoll()).toEqual(begun);
    const differ = await Promise.all([
      put({ groups: ['workers'], surge: 1, criterion: { kind: 'all' } }, { name: 'july' }),
      put({ groups: ['workers'], surge: 2, criterion: { kind: 'all' } }, { name: 'july' }),
    ]);
    // June has the group.
    expect(differ.map(({ status }) => status)).toEqual([409, 409]);
  });

  it('refuses one of two clients that ask for different rolls of one name at once', async () => {
    const answers = await Promise.all([
      put({ groups: ['workers'], surge: 1 }),
      put({ groups: ['workers'], surge: 2 }),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    const winner = answers.findIndex(({ status }) => status === 201);
    expect(storedRoll()?.surge).toBe(winner + 1);
  });

  it('begins again under the name of a roll that has ended', async () => {
    await put();
    const before = storedRoll();
    see('done');
    world.cloud.advance(60);
    expect((await put()).status).toBe(201);
    expect(storedRoll()?.startedAt).toBeGreaterThan(before?.startedAt ?? 0);
  });

  it('is refused with the list if groups are not ready for it, also in a dry run', async () => {
    world.cloud.autoScaling.operations.SuspendProcesses({
      AutoScalingGroupName: 'workers',
      ScalingProcesses: ['Launch'],
    });
    expect(await put()).toMatchObject({
      status: 409,
      body: {
        ...problem('roll-refused'),
        detail: 'the roll cannot begin because of workers',
        errors: [
          {
            detail: expect.stringMatching(
              /^workers: its process Launch is suspended.*\(aws autoscaling resume/,
            ),
          },
        ],
      },
    });
    expect(storedRoll()).toBeUndefined();
    expect(await put(undefined, { query: '?dryRun=true' })).toMatchObject({ status: 409 });
  });

  it('is refused for a group of another roll', async () => {
    await put();
    expect((await put({ groups: ['workers'] }, { name: 'july' })).body).toMatchObject({
      ...problem('roll-refused'),
      errors: [{ detail: expect.stringContaining('roll june replaces its nodes already') }],
    });
  });

  it('begins nothing if no instance is old', async () => {
    const { status, body } = await put({
      groups: ['workers'],
      criterion: { kind: 'below', kubeletVersion: '1.2' },
    });
    expect(status).toBe(200);
    expect(begunRoll.parse(body)).toMatchObject({ change: 'nothing-old', preflight: { old: [] } });
    expect(storedRoll()).toBeUndefined();
  });

  it.each<[string, number, string, unknown, { readonly name?: string; readonly query?: string }]>([
    ['an unknown field', 422, 'invalid-body', { groups: ['workers'], surges: 2 }, {}],
    [
      'an unknown field of a criterion',
      422,
      'invalid-body',
      { groups: ['workers'], criterion: { kind: 'all', seconds: 1 } },
      {},
    ],
    ['no groups', 422, 'invalid-body', { groups: [] }, {}],
    ['a bound that is too large', 422, 'invalid-body', { groups: ['workers'], surge: 1001 }, {}],
    [
      'a body of more than 16 KiB',
      413,
      'body-too-large',
      { groups: ['workers'], window: 'x'.repeat(17_000) },
      {},
    ],
    ['a window that cannot be read', 422, 'invalid-roll', { groups: ['workers'], window: 'always' }, {}],
    ['a name with a space', 422, 'invalid-roll', undefined, { name: 'june%20' }],
    ['a name that is too long', 422, 'invalid-roll', undefined, { name: 'j'.repeat(64) }],
    ['a name with a slash', 422, 'invalid-roll', undefined, { name: 'a%2Fb' }],
    [
      'an instance of no group',
      422,
      'invalid-roll',
      { groups: ['workers'], criterion: { kind: 'named', instanceIds: ['i-0123456789abcdef0'] } },
      {},
    ],
    ['a group that does not exist', 404, 'group-not-found', { groups: ['other'] }, {}],
    ['a misspelt dry run', 400, 'invalid-parameter', undefined, { query: '?dryrun=true' }],
  ])('is refused with %s', async (...[, status, code, body, place]) => {
    expect(await put(body, place)).toMatchObject({ status, body: problem(code) });
    expect(world.ssm.controls.value(askParameterOf(paths, place.name ?? 'june'))).toBeUndefined();
  });

  it('is refused if its parameter would be too long', async () => {
    const instanceIds = Array.from({ length: 150 }, (_, index) => `i-${String(index).padStart(17, '0')}`);
    const made = world.cloud.autoScaling.operations.DescribeAutoScalingGroups({}).AutoScalingGroups ?? [];
    expect(made).toHaveLength(1);
    expect((await put({ groups: ['workers'], criterion: { kind: 'named', instanceIds } })).status).toBe(422);
  });

  it('is refused while the Nodes cannot be listed: each instance would be left out', async () => {
    world.cluster.failure = new Error('no route');
    expect(await put()).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
      body: problem('cluster-unavailable'),
    });
    expect(storedRoll()).toBeUndefined();
  });

  it('is refused if the deployment has rolls off', async () => {
    world = createRollWorld({});
    expect(await put()).toMatchObject({ status: 409, body: problem('rolls-off') });
  });

  it.each(['DescribeInstanceRefreshes', 'DescribeInstances', 'DescribeScalingActivities', 'PutParameter'])(
    'says that Drover lacks a permission without %s',
    async (denied) => {
      world = createRollWorld({
        environment: rollsOn,
        authorize: ({ operation }) => (operation === denied ? 'it is not authorized' : undefined),
      });
      expect(await put()).toMatchObject({ status: 500, body: problem('not-permitted') });
      expect(storedRoll()).toBeUndefined();
      expect(messages()).toBe(0);
    },
  );

  it('is refused with the reason if its role may not read what groups launch', async () => {
    world = createRollWorld({
      environment: rollsOn,
      authorize: ({ operation }) =>
        operation === 'DescribeLaunchTemplateVersions' ? 'it is not authorized' : undefined,
    });
    expect((await put()).body).toMatchObject({
      ...problem('roll-refused'),
      errors: [{ detail: expect.stringContaining('what it would launch is unknown') }],
    });
  });

  it('has begun although its function could not be woken, which the log says', async () => {
    world.sqs.operations.DeleteQueue({ QueueUrl: rollsOn.DROVER_ROLL_QUEUE_URL });
    expect((await put()).status).toBe(201);
    expect(world.lines.filter((line) => line.includes('could not be woken'))).toHaveLength(1);
  });
});

describe('PATCH of a roll with retarget', () => {
  const patch = (body: unknown) => world.send('PATCH', '/rolls/june', { body: JSON.stringify(body) });

  it('begins again with what its groups launch now', async () => {
    await put();
    see('paused', 'the template has changed');
    const before = storedRoll();
    world.cloud.advance(5);
    world.cloud.ec2.operations.CreateLaunchTemplateVersion({
      LaunchTemplateName: 'workers',
      SourceVersion: '2',
      LaunchTemplateData: { ImageId: 'ami-0123456789abcdef2' },
    });
    expect(await patch({ wanted: 'run' })).toMatchObject({ status: 409, body: problem('roll-conflict') });
    expect(await patch({ wanted: 'run', retarget: true })).toMatchObject({
      status: 200,
      body: { change: 'changed', state: 'starting' },
    });
    expect(storedRoll()).toMatchObject({
      groups: [{ target: { main: { version: 3 } } }],
      podsUnchecked: true,
      by: before?.by,
    });
    expect(storedRoll()?.startedAt).toBeGreaterThan(before?.startedAt ?? 0);
  });

  it('is refused with anything but run', async () => {
    await put();
    expect(await patch({ wanted: 'paused', retarget: true })).toMatchObject({
      status: 422,
      body: problem('invalid-body'),
    });
  });
});
