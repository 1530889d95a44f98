import { setImmediate as nextTurn } from 'node:timers/promises';
import { AwsError } from '@drover/cloud-sandbox/aws';
import { createGroup } from '@drover/cloud-sandbox/test/aws/support/cloud.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { passList, status as statusSchema } from '../../../shared/scale-api/schemas/answers/status.ts';
import { type Answer, createScaleApiWorld, readyNode, workerTags } from './scale-api-world.ts';

const parameterName = '/drover/drover/bootstrap-kubeconfig';
let world: ReturnType<typeof createScaleApiWorld>;

const put = (Name: string, Value = 'a secret') =>
  world.ssm.operations.PutParameter({ Name, Value, Type: 'SecureString', Overwrite: true }, {
    principal: { arn: 'arn:aws:iam::123456789012:user/operator' },
    requestId: 'test',
  } as never);

beforeEach(() => {
  world = createScaleApiWorld({
    environment: {
      DROVER_BOOTSTRAP: 'on',
      DROVER_BOOTSTRAP_PARAMETER: parameterName,
      DROVER_BOOTSTRAP_ROTATION: '12h',
      DROVER_BOOTSTRAP_ROLES: 'worker,control-plane',
      DROVER_ETCD_DOMAIN: 'etcd.example',
    },
  });
  for (const { InstanceId: id = '' } of world.group().Instances ?? [])
    world.cluster.nodes.set(id, readyNode(id));
  put(parameterName);
  put(`${parameterName}-control-plane`);
  for (const id of ['i-b', 'i-a']) put(`/drover/drover/etcd/members/${id}`, '{}');
});

const read = ({ status, body }: Answer) => {
  expect(status).toBe(200);
  return statusSchema.parse(body);
};
const status = async () => read(await world.send('GET', '/status'));

/** The answer while the clock goes on, and how many seconds it took. */
async function statusInTime() {
  const ended = { seconds: 0, isAnswered: false };
  const pending = world.send('GET', '/status').finally(() => {
    ended.isAnswered = true;
  });
  for (; !ended.isAnswered && ended.seconds < 60; ended.seconds += 1) {
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    world.cloud.advance(1);
  }
  return { seconds: ended.seconds, ...read(await pending) };
}

const fail = (operations: readonly string[], fault: AwsError | 'never-answer') =>
  world.faults.push(({ operation }) => (operations.includes(operation) ? fault : undefined));

const denied = () =>
  new AwsError({ code: 'AccessDeniedException', message: 'arn:secret is not authorized', statusCode: 400 });

describe('GET /status', () => {
  it('names an instance that is held on its way into a warm pool, and needs an operator for it', async () => {
    const { operations } = world.cloud.autoScaling;
    const asked: string[] = [];
    world.faults.push(({ operation }) => {
      asked.push(operation);
      return undefined;
    });
    expect(await status()).toMatchObject({ state: 'ok', joining: 0 });
    expect(asked).not.toContain('DescribeWarmPool');
    operations.PutLifecycleHook({
      AutoScalingGroupName: 'workers',
      LifecycleHookName: 'drover-node-joining',
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
      HeartbeatTimeout: 3600,
    });
    operations.PutWarmPool({ AutoScalingGroupName: 'workers', MinSize: 1, MaxGroupPreparedCapacity: 0 });
    world.cloud.advance(15);
    world.cloud.advance(30);
    expect(await status()).toMatchObject({ state: 'ok', joining: 1, problems: [] });
    world.cloud.advance(900);
    const { state, problems } = await status();
    expect(state).toBe('attention');
    expect(problems).toMatchObject([
      {
        kind: 'warm-wait',
        subject: expect.stringMatching(/^i-/),
        message: expect.stringMatching(/holds it in Warmed:Pending:Wait since \S+Z, .*as its last line/),
        command: expect.stringMatching(/^aws autoscaling complete-lifecycle-action .* --instance-id i-\w+$/),
      },
    ]);
  });

  it.each(['denied', 'hangs'])(
    'knows groups, passes and credentials where DescribeWarmPool %s, and names the warm pools',
    async (way) => {
      const { operations } = world.cloud.autoScaling;
      operations.PutWarmPool({ AutoScalingGroupName: 'workers', MinSize: 1, MaxGroupPreparedCapacity: 0 });
      fail(['DescribeWarmPool'], way === 'denied' ? denied() : 'never-answer');
      expect(way === 'denied' ? await status() : await statusInTime()).toMatchObject({
        state: 'unknown',
        groups: 1,
        leaving: 0,
        joining: 0,
        unknown: [expect.stringMatching(/^the warm pools: /)],
      });
      if (way === 'hangs') return;
      const passes = passList.parse((await world.send('GET', '/passes')).body);
      expect(passes).toMatchObject({ leaving: [], unknown: [expect.stringMatching(/^the warm pools: /)] });
      expect(JSON.stringify(passes)).not.toContain('arn:secret');
    },
  );

  it('has the age of each published credential and the known members of etcd, and is ok', async () => {
    world.cloud.advance(3600);
    const answer = await status();
    expect(answer).toMatchObject({ state: 'ok', unknown: [] });
    expect(answer.credentials).toEqual(
      [
        ['worker', parameterName],
        ['control-plane', `${parameterName}-control-plane`],
      ].map(([role, name]) => ({
        role,
        parameterName: name,
        state: 'ok',
        reason: 'published 3600 s ago, rotated every 43200 s',
        publishedAt: expect.stringMatching(/^2026-01-05T/),
        ageSeconds: 3600,
      })),
    );
    expect(answer.etcd).toEqual({
      state: 'ok',
      reason: '2 known, and their groups report no problem',
      members: ['i-a', 'i-b'],
    });
  });

  it.each([
    [13 * 3600, 'ok'],
    [13 * 3600 + 1, 'attention'],
  ])('of a credential that is %i s old is %s', async (age, state) => {
    world.cloud.advance(age);
    expect(await status()).toMatchObject({ state, credentials: [{ state }, { state }] });
  });

  it('needs attention if no credential is published', async () => {
    world.ssm.operations.DeleteParameter({ Name: parameterName });
    expect(await status()).toMatchObject({
      state: 'attention',
      credentials: [
        { role: 'worker', state: 'attention', publishedAt: null, ageSeconds: null },
        { state: 'ok' },
      ],
    });
  });

  it.each(['etcd', 'control-plane'])('needs attention for the problem on a group of %s', async (role) => {
    const Tags = [...workerTags(role), { Key: 'drover.dev/etcd-status', Value: 'no quorum' }];
    createGroup(world.cloud, { AutoScalingGroupName: 'members', Tags });
    expect(await status()).toMatchObject({
      state: 'attention',
      etcd: { state: 'attention', reason: 'members: no quorum', members: ['i-a', 'i-b'] },
      problems: [{ kind: 'etcd', subject: 'members' }],
    });
  });

  it('is unknown for etcd until Drover knows a member', async () => {
    for (const id of ['i-a', 'i-b'])
      world.ssm.operations.DeleteParameter({ Name: `/drover/drover/etcd/members/${id}` });
    expect(await status()).toMatchObject({ state: 'unknown', etcd: { state: 'unknown', members: [] } });
  });

  it.each([
    [
      'DescribeParameters',
      { credentials: [{ state: 'unknown', ageSeconds: null }, { state: 'unknown' }] },
      'the published credentials',
    ],
    [
      'DescribeAutoScalingGroups',
      { groups: null, instances: null, leaving: null, joining: null, pausedGroups: null },
      'the groups',
    ],
  ])(
    'says what is unknown where %s is denied or hangs, and answers all else',
    async (operation, part, what) => {
      fail([operation], denied());
      const answer = await status();
      expect(answer).toMatchObject({ state: 'unknown', ...part });
      expect(answer.unknown).toEqual([expect.stringMatching(new RegExp(`^${what}: `))]);
      expect(JSON.stringify(answer)).not.toContain('arn:secret');
      expect(world.lines.join()).toContain(`${what} could not be read`);
      world.faults.length = 0;
      fail([operation], 'never-answer');
      const late = await statusInTime();
      expect(late).toMatchObject({ state: 'unknown', ...part, unknown: [`${what}: no answer within 12 s`] });
      expect(late.seconds).toBeLessThan(29);
    },
  );

  it('says that the members of etcd and the holds are unknown where GetParametersByPath is denied', async () => {
    fail(['GetParametersByPath'], denied());
    const answer = await status();
    expect(answer).toMatchObject({ state: 'unknown', etcd: { state: 'unknown', members: null } });
    expect(answer.unknown).toEqual([
      expect.stringMatching(/^the members of etcd: /),
      expect.stringMatching(/^the holds and schedules: /),
    ]);
    expect(JSON.stringify(answer)).not.toContain('arn:secret');
  });

  it('answers within the limit of API Gateway if everything hangs', async () => {
    fail(['DescribeParameters', 'GetParametersByPath', 'DescribeAutoScalingGroups'], 'never-answer');
    const { seconds, ...answer } = await statusInTime();
    expect(answer).toMatchObject({ state: 'unknown', clusterAnswers: true });
    expect(answer.unknown).toHaveLength(4);
    expect(seconds).toBeLessThan(29);
  });

  it('gives what needs an operator precedence over what is unknown', async () => {
    world.cloud.advance(20 * 3600);
    fail(['GetParametersByPath'], denied());
    expect(await status()).toMatchObject({
      state: 'attention',
      unknown: [expect.any(String), expect.any(String)],
    });
  });
});
