import type { CallInFlight } from '@drover/cloud-sandbox';
import { expect, it } from 'vitest';
import { givingBackAnnotation } from '../../shared/draining/node-keys.ts';
import { instanceIdOf } from '../../shared/draining/node-names.ts';
import { givingBackMessage } from '../../shared/lifecycle/giving-back-message.ts';
import {
  createDroverWorld,
  type DroverWorld,
  type DroverWorldOptions,
  membersOf,
  withWorkers,
} from '../support/drover-world.ts';
import { boundsOf, serving } from '../support/holds.ts';

/** Three empty nodes in a group with a base of one. No hold has ended, so that only the passes of the test give back. */
async function emptyNodes(options: DroverWorldOptions): Promise<DroverWorld> {
  const world = createDroverWorld(options);
  await withWorkers(world, {
    size: 3,
    tags: { 'drover.dev/give-back-empty': 'true' },
    settings: { MinSize: 1, MaxSize: 5 },
  });
  await world.timeline.pass(400);
  return world;
}

/** One invocation, as where SQS hands the message out again while another invocation still works on it. */
async function giveBack({ clock, lambda }: DroverWorld): Promise<void> {
  const noticedAt = new Date(clock.now()).toISOString();
  const message = givingBackMessage({ cause: 'give-back', autoScalingGroupName: 'workers', noticedAt });
  const at = String(clock.now());
  await lambda.invoke('node-leaving', {
    Records: [
      {
        messageId: '1',
        receiptHandle: '1',
        body: message.body,
        attributes: {
          ApproximateReceiveCount: '1',
          ApproximateFirstReceiveTimestamp: at,
          SentTimestamp: at,
          SenderId: 'drover',
          MessageGroupId: message.groupId,
        },
        messageAttributes: {},
        md5OfBody: '',
        eventSource: 'aws:sqs',
        eventSourceARN: 'arn:aws:sqs:eu-west-1:123456789012:LeavingQueue.fifo',
        awsRegion: 'eu-west-1',
      },
    ],
  });
}

const nodes = ({ kubernetes }: DroverWorld) => kubernetes.store.of('nodes').list();

const isKept = ({ spec, metadata }: ReturnType<typeof nodes>[number]): boolean =>
  spec?.unschedulable === true || metadata.annotations?.[givingBackAnnotation] !== undefined;

/** The nodes of instances that terminate, on which pods could still be placed. */
const openWhileLeaving = (world: DroverWorld): readonly unknown[] => {
  const leaving = membersOf(world)
    .filter(({ LifecycleState }) => LifecycleState?.startsWith('Terminating'))
    .map(({ InstanceId }) => InstanceId);
  return nodes(world).filter(
    ({ spec }) => leaving.includes(instanceIdOf(spec?.providerID)) && spec?.unschedulable !== true,
  );
};

it.each([1, 2, 3, 4, 5, 6, 7, 8, 9])(
  'two passes side by side give back one node, which stays cordoned (the second begins at call %i of the first)',
  async (nth) => {
    let calls: number | undefined;
    let second: Promise<void> | undefined;
    const strike = ({ caller }: CallInFlight) => {
      if (calls !== undefined && caller === 'node-leaving') calls += 1;
      if (calls === nth) second ??= giveBack(world);
      return undefined;
    };
    const world: DroverWorld = await emptyNodes({ weather: { strike } });
    calls = 0;
    await giveBack(world);
    expect(second).toBeDefined();
    await second;
    expect(openWhileLeaving(world)).toEqual([]);
    await world.timeline.pass(600);
    expect(boundsOf(world)).toMatchObject({ minSize: 1, desiredCapacity: 2 });
    expect(serving(world)).toBe(2);
    expect(nodes(world).filter(isKept)).toEqual([]);
  },
);

/** By numbers of the reads of Auto Scaling in a pass: its group, its hooks, and its group again. */
it.each([[[1]], [[2]], [[3]], [[1, 2, 3]]])(
  'keeps its nodes where MinSize was raised and Auto Scaling answers with what was before, at reads %j',
  async (stale) => {
    let reads: number | undefined;
    const staleSeconds = ({ caller, what }: CallInFlight): number => {
      if (reads === undefined || caller !== 'node-leaving' || !/ Describe(Auto|Life)/.test(what)) return 0;
      reads += 1;
      return stale.includes(reads) ? 60 : 0;
    };
    const world = await emptyNodes({ weather: { staleSeconds } });
    world.account.autoScaling.operations.UpdateAutoScalingGroup({
      AutoScalingGroupName: 'workers',
      MinSize: 3,
    });
    await world.timeline.pass(30);
    reads = 0;
    await giveBack(world);
    expect(reads).toBeGreaterThan(0);
    reads = undefined;
    expect(boundsOf(world)).toMatchObject({ minSize: 3, desiredCapacity: 3 });
    expect(serving(world)).toBe(3);
    expect(nodes(world).filter(isKept)).toEqual([]);
  },
);

it('gives back no more than MinSize allows where every answer of Auto Scaling is from before the last pass', async () => {
  let seconds = 0;
  const world = await emptyNodes({
    weather: { staleSeconds: ({ to, what }) => (to === 'aws' && what.includes(' Describe') ? seconds : 0) },
  });
  seconds = 30;
  for (let pass = 0; pass < 4; pass += 1) {
    await giveBack(world);
    expect(openWhileLeaving(world)).toEqual([]);
    await world.timeline.pass(5);
  }
  seconds = 0;
  await world.timeline.pass(1200);
  expect(boundsOf(world).desiredCapacity).toBeGreaterThanOrEqual(1);
  expect(serving(world)).toBe(boundsOf(world).desiredCapacity);
  expect(nodes(world).filter(isKept)).toEqual([]);
});
