import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  type DroverWorldOptions,
  membersOf,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { newVersion, putRoll, rollNodes, seenOf, versionsOf } from '../../local/world/rolls.ts';
import { budget, deployment, podsNamed, podsOn, request, run } from '../../local/world/workloads.ts';
import { leavingAnnotation } from '../../shared/nodes/node-keys.ts';
import { rollMessage } from '../../shared/roll/message.ts';
import { markOf, nodeNameOf } from '../support/observed-instance.ts';
import { callFaults, kindOf, strikeFirst } from '../support/rolls/faults.ts';

const writes: Readonly<Record<string, string>> = {
  patch: 'PATCH /api/v1/nodes/*',
  termination: 'autoscaling TerminateInstanceInAutoScalingGroup',
  'parameter write': 'ssm PutParameter',
};

/** Two workers whose pods have a budget, in the middle of nothing: a roll of them begins. */
async function rollTwo(
  options: DroverWorldOptions,
  plan: Partial<Parameters<typeof withWorkers>[1]> = {},
): Promise<DroverWorld> {
  const world = createDroverWorld(options);
  await withWorkers(world, { size: 2, settings: { MaxSize: 2 }, ...plan });
  await run(world, deployment({ name: 'web', replicas: 4 }), budget('web', { maxUnavailable: 1 }));
  putRoll(world, { workers: newVersion(world, 'ami-0000000000000new0') }, { bakeSeconds: 30 });
  return world;
}

const cordoned = ({ kubernetes }: DroverWorld) =>
  kubernetes.store
    .of('nodes')
    .list()
    .filter(({ spec }) => spec?.unschedulable);

/** Both are replaced in the end, and never more than one leaves. */
async function expectReplaced(world: DroverWorld, what: string): Promise<void> {
  const left = () =>
    membersOf(world).filter(({ LifecycleState }) => LifecycleState?.startsWith('Terminating'));
  await world.timeline.until(
    () => {
      expect(left().length, what).toBeLessThanOrEqual(1);
      return seenOf(world)?.state === 'done';
    },
    { withinSeconds: 7200, what },
  );
  expect(versionsOf(world), what).toEqual([2, 2]);
  expect(rollNodes(world), what).toEqual([]);
  expect(cordoned(world), what).toEqual([]);
}

describe('a roll of which calls fail', () => {
  it.each(Object.entries(callFaults))(
    'replaces all one at a time if the first three of each kind %s',
    async (name, fault) => {
      const { strike, kinds } = strikeFirst(3, fault);
      await expectReplaced(await rollTwo({ weather: { strike } }), `the end of a roll whose call ${name}`);
      expect(kinds().filter((kind) => /^(?:PATCH|ssm Put|autoscaling Term)/.test(kind))).toHaveLength(3);
      expect(kinds().length).toBeGreaterThan(14);
    },
  );

  it.each(Object.keys(writes))(
    'replaces all one at a time whichever fault its second %s meets',
    async (kind) => {
      for (const [name, fault] of Object.entries(callFaults)) {
        let calls = 0;
        const strike = (call: CallInFlight): Strike | undefined => {
          if (call.caller !== 'roll' || kindOf(call) !== writes[kind]) return undefined;
          calls += 1;
          return calls === 2 || calls === 3 ? fault(call) : undefined;
        };
        const what = `the second ${kind}, which ${name}`;
        await expectReplaced(await rollTwo({ weather: { strike } }), what);
        expect(calls, what).toBeGreaterThan(1);
      }
    },
  );

  it.each([10, 55])('replaces all one at a time if what AWS lists is %i s old', async (seconds) => {
    const staleSeconds = ({ caller, to }: CallInFlight): number =>
      caller === 'roll' && to === 'aws' ? seconds : 0;
    await expectReplaced(await rollTwo({ weather: { staleSeconds } }), 'the end of a roll with stale lists');
  });
});

/** The batch of SQS with a message of rolls. */
function batchAt(now: number) {
  const { body } = rollMessage({ cause: 'asked', noticedAt: new Date(now).toISOString() });
  const attributes = {
    ApproximateReceiveCount: '1',
    ApproximateFirstReceiveTimestamp: String(now),
    SentTimestamp: String(now),
    MessageGroupId: 'rolls',
    SenderId: 'x',
    SequenceNumber: '1',
    MessageDeduplicationId: 'x',
  };
  return {
    Records: [
      {
        messageId: `again-${now}`,
        receiptHandle: `again-${now}`,
        body,
        attributes,
        messageAttributes: {},
        md5OfBody: '',
        eventSource: 'aws:sqs',
        eventSourceARN: 'arn:aws:sqs:eu-west-1:123456789012:drover-dev-RollQueue.fifo',
        awsRegion: 'eu-west-1',
      },
    ],
  };
}

describe('passes of rolls at once', () => {
  it('replace all one at a time', async () => {
    const world = await rollTwo({
      weather: { latencyMilliseconds: ({ caller }) => (caller === 'roll' ? 400 : 0) },
    });
    const deliver = (): void => {
      const batch = batchAt(world.clock.now());
      for (const again of [batch, batch]) void world.lambda.invoke('roll', again);
      if (seenOf(world)?.state !== 'done') world.clock.after(7000, deliver);
    };
    deliver();
    await expectReplaced(world, 'the end of a roll with several passes at once');
    const passes = world.lines.filter(
      ({ functionName, message, causes }) =>
        functionName === 'roll' && message === 'pass' && JSON.stringify(causes).includes('asked'),
    );
    const together = [...Map.groupBy(passes, ({ time }) => time).values()].filter(({ length }) => length > 1);
    expect(together.length).toBeGreaterThan(5);
  });
});

/** A roll whose first node is cordoned, and waits for its replacement. */
async function awaitingNode(plan: Parameters<typeof rollTwo>[1] = {}) {
  const world = await rollTwo({}, plan);
  const awaiting = () =>
    membersOf(world).find(({ InstanceId = '' }) => markOf(world, InstanceId)?.awaiting === 'replacement');
  await world.timeline.until(() => awaiting() !== undefined, { withinSeconds: 600, what: 'the wait' });
  const { InstanceId: instanceId = '' } = awaiting() ?? {};
  return { world, instanceId, nodeName: nodeNameOf(world, instanceId) };
}

describe('a node of a roll that waits for its replacement', () => {
  it('is drained at once if Spot takes it, and the roll goes on', async () => {
    const { world, instanceId, nodeName } = await awaitingNode({ spot: true });
    expect(podsOn(world, nodeName).length).toBeGreaterThan(0);
    world.account.ec2.accidents.interruptSpot(instanceId);
    await world.timeline.until(() => podsOn(world, nodeName).length === 0, {
      withinSeconds: 110,
      what: 'the drain before EC2 takes the instance',
    });
    await expectReplaced(world, 'the end of a roll after a Spot interruption');
  });

  it('is drained under its budgets by an older Drover, which knows no wait, and the roll goes on', async () => {
    const { world, instanceId, nodeName } = await awaitingNode();
    const { awaiting: _, awaitedSince: _since, ofRoll: _roll, ...older } = markOf(world, instanceId) ?? {};
    await request(world, 'PATCH', `/api/v1/nodes/${nodeName}`, {
      metadata: { annotations: { [leavingAnnotation]: JSON.stringify(older) } },
    });
    let fewest = Infinity;
    await world.timeline.until(
      () => {
        const ready = podsNamed(world, 'web').filter(
          ({ metadata, status }) =>
            metadata?.deletionTimestamp === undefined &&
            status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
        );
        fewest = Math.min(fewest, ready.length);
        return podsOn(world, nodeName).length === 0;
      },
      { withinSeconds: 600, what: 'the drain' },
    );
    expect(fewest).toBe(3);
    await expectReplaced(world, 'the end of a roll after an older pass');
  });
});
