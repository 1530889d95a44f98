import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { AwsError } from '@drover/cloud-sandbox/aws';
import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { listenForPeople } from '../support/people.ts';
import { createProblemWorld, deadLetterIn } from '../support/problems/problem-world.ts';

const minute = 60;
const hour = 60 * minute;

const digestsIn = (received: ReturnType<typeof listenForPeople>) =>
  received().flatMap(({ detail }) => (detail.kind === 'problems' ? [detail] : []));

const parametersOf = ({ account }: DroverWorld) =>
  (account.ssm.operations.DescribeParameters({}).Parameters ?? []).map(({ Name }) => Name);

const purge = ({ account: { sqs } }: DroverWorld): void => {
  const name = sqs.controls.queueNames().find((one) => one.endsWith('-InboxDeadLetterQueue'));
  sqs.operations.PurgeQueue({ QueueUrl: sqs.operations.GetQueueUrl({ QueueName: name }).QueueUrl });
};

describe('the digest of problems', () => {
  it('reports a problem within a quarter of an hour, its end an hour after it, and nothing more', async () => {
    const world = createDroverWorld();
    const received = listenForPeople(world);
    await withWorkers(world, { size: 1 });
    await world.lambda.invoke('bootstrap-credential', {});
    await world.timeline.pass(20 * minute);
    expect(digestsIn(received)).toEqual([]);
    expect(parametersOf(world)).not.toContain('/drover/drover/digest');
    deadLetterIn(world);
    await world.timeline.pass(16 * minute);
    expect(digestsIn(received)).toMatchObject([
      {
        severity: 'warning',
        problems: [{ kind: 'dead-letters', change: 'new', severity: 'critical' }],
        ended: [],
      },
    ]);
    deadLetterIn(world);
    await world.timeline.pass(61 * minute);
    expect(digestsIn(received)).toHaveLength(1);
    purge(world);
    await world.timeline.pass(95 * minute);
    const [, end, ...more] = digestsIn(received);
    expect(end).toMatchObject({ problems: [], ended: [{ kind: 'dead-letters' }] });
    expect(end?.message).toMatch(/^drover: no problem any more; ended: \S+ \(dead-letters\)$/);
    expect(more).toEqual([]);
    await world.timeline.pass(61 * minute);
    expect(digestsIn(received)).toHaveLength(2);
    expect(world.problems).toEqual([]);
  });

  it('is sent by a later sweep if EventBridge fails for twenty minutes, and no sweep fails because of it', async () => {
    const world = createProblemWorld();
    const received = listenForPeople(world);
    await withWorkers(world, { size: 1 });
    world.fail(({ what }) => what === 'events PutEvents');
    deadLetterIn(world);
    await world.timeline.pass(20 * minute);
    expect(world.lines).toContainEqual(expect.objectContaining({ NotificationsFailed: 1 }));
    world.fail(() => false);
    await world.timeline.pass(6 * minute);
    expect(digestsIn(received)).toHaveLength(1);
    expect(world.problems).toEqual([]);
  });

  it.each(['monitoring DescribeAlarms', 'autoscaling DescribeAutoScalingGroups', 'kubernetes'])(
    'does not report the end of a problem because %s does not answer, and says what it could not read',
    async (source) => {
      let fails = false;
      const strike = ({ what, to, caller }: CallInFlight): Strike | undefined =>
        fails && caller === 'sweep' && (what === source || to === source)
          ? { kind: 'fail-before' }
          : undefined;
      const world = createDroverWorld({ weather: { strike } });
      const received = listenForPeople(world);
      await withWorkers(world, { size: 1, tags: { 'drover.dev/force': 'perhaps' } });
      await world.timeline.pass(20 * minute);
      expect(digestsIn(received)).toHaveLength(1);
      fails = true;
      await world.timeline.pass(3 * hour);
      deadLetterIn(world);
      await world.timeline.pass(20 * minute);
      fails = false;
      await world.timeline.pass(3 * hour);
      const [, during, ...more] = digestsIn(received);
      expect(during?.problems?.map(({ kind }) => kind)).toContain('dead-letters');
      expect(during?.unread?.length).toBeGreaterThan(0);
      expect(during?.ended).toEqual([]);
      expect(JSON.stringify(during)).not.toContain('the log of scale-api');
      expect(more.flatMap(({ ended = [] }) => ended)).not.toContainEqual(
        expect.objectContaining({ kind: 'tag' }),
      );
    },
  );

  it('counts as a failed notification once it could not be made for an hour, and not before', async () => {
    const world = createProblemWorld();
    await withWorkers(world, { size: 1 });
    const counted = (): number => world.lines.filter((line) => 'NotificationsFailed' in line).length;
    world.fail(({ caller, what }) => caller === 'sweep' && what === 'ssm GetParameter');
    await world.timeline.pass(55 * minute);
    expect(counted()).toBe(0);
    await world.timeline.pass(20 * minute);
    expect(counted()).toBeGreaterThan(0);
  });

  it('has no secret, also if a name looks like one', async () => {
    const world = createDroverWorld();
    const received = listenForPeople(world);
    const secret = 'abcdef.0123456789abcdef';
    await withWorkers(world, { size: 1, tags: { 'drover.dev/force': `token=${secret}` } });
    await world.timeline.pass(20 * minute);
    expect(digestsIn(received)).toHaveLength(1);
    expect(JSON.stringify(digestsIn(received))).not.toContain('0123456789abcdef');
  });

  it('asks nothing of CloudWatch, Parameter Store and EventBridge if it is off', async () => {
    const calls: string[] = [];
    const world = createDroverWorld({
      weather: { onCall: ({ caller, what }) => void (caller === 'sweep' && calls.push(what)) },
      editWiring: (wiring) => ({
        ...wiring,
        functions: wiring.functions.map((one) => ({
          ...one,
          environment: { ...one.environment, DROVER_DIGEST: 'off' },
        })),
      }),
    });
    deadLetterIn(world);
    await world.timeline.pass(hour);
    expect(calls).not.toContain('monitoring DescribeAlarms');
    expect(calls).not.toContain('ssm PutParameter');
    expect(calls).not.toContain('events PutEvents');
    expect(world.invocations).toContain('drover-dev-sweep');
  });

  it('asks Auto Scaling for nothing that the sweep has read, also while every group has a wait', async () => {
    const calls: string[] = [];
    const world = createDroverWorld({
      weather: { onCall: ({ caller, what }) => void (caller === 'sweep' && calls.push(what)) },
    });
    const groups = ['first', 'second', 'third'];
    const instances: string[] = [];
    for (const autoScalingGroupName of groups)
      instances.push(...(await withWorkers(world, { size: 1, autoScalingGroupName })));
    for (const instanceId of instances) terminate(world, instanceId, { replace: false });
    calls.length = 0;
    await world.lambda.invoke('sweep', {});
    expect(calls).toContain('monitoring DescribeAlarms');
    expect(calls.filter((what) => what.startsWith('autoscaling ')).toSorted()).toEqual([
      'autoscaling DescribeAutoScalingGroups',
      ...groups.map(() => 'autoscaling DescribeLifecycleHooks'),
    ]);
  });

  it('checks once an hour while AWS throttles the sweep', async () => {
    const looks: number[] = [];
    let throttles = false;
    const world = createDroverWorld({
      weather: {
        onCall: ({ caller, what }) => {
          if (caller === 'sweep' && what === 'monitoring DescribeAlarms') looks.push(world.clock.now());
        },
        strike: ({ caller, what }) =>
          throttles && caller === 'sweep' && what === 'autoscaling DescribeLifecycleHooks'
            ? { kind: 'aws-error', error: new AwsError({ code: 'Throttling', message: 'Rate exceeded' }) }
            : undefined,
      },
    });
    const received = listenForPeople(world);
    await withWorkers(world, { size: 1 });
    await world.timeline.pass(20 * minute);
    throttles = true;
    deadLetterIn(world);
    looks.length = 0;
    await world.timeline.pass(4 * hour);
    expect(looks.length).toBeGreaterThanOrEqual(3);
    expect(looks.length).toBeLessThanOrEqual(4);
    expect(digestsIn(received)).toMatchObject([{ problems: [{ kind: 'dead-letters' }] }]);
    looks.length = 0;
    throttles = false;
    await world.timeline.pass(hour);
    expect(looks.length).toBeGreaterThanOrEqual(3);
  });
});
