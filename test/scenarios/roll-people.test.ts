import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { AwsError } from '@drover/cloud-sandbox/aws';
import { describe, expect, it } from 'vitest';
import {
  clusterName,
  createDroverWorld,
  type DroverWorld,
  membersOf,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { newVersion, putRoll, rollNodes, seenOf, versionsOf } from '../../local/world/rolls.ts';
import type { Roll } from '../../shared/roll/roll.ts';

const minute = 60;
const hour = 3_600_000;

interface RollingPlan {
  readonly size?: number;
  /** From the time of the begin, in epoch milliseconds. */
  readonly roll?: (now: number) => Partial<Roll>;
  readonly strike?: (call: CallInFlight) => Strike | undefined;
}

/** Workers without pods, and a roll of them to a new version. */
async function rollingWorld({ size = 1, roll = () => ({}), strike }: RollingPlan = {}): Promise<DroverWorld> {
  const world = createDroverWorld(strike && { weather: { strike } });
  await withWorkers(world, { size, settings: { MaxSize: size } });
  const target = newVersion(world, 'ami-0000000000000new0');
  putRoll(world, { workers: target }, { canary: 0, ...roll(world.clock.now()) });
  return world;
}

const idsOf = (world: DroverWorld) => membersOf(world).map(({ InstanceId = '' }) => InstanceId);

const until = (world: DroverWorld, isSo: () => boolean, what: string, withinSeconds = 1200) =>
  world.timeline.until(isSo, { withinSeconds, what });

const isCordoned = ({ kubernetes }: DroverWorld) =>
  kubernetes.store
    .of('nodes')
    .list()
    .some(({ spec }) => spec?.unschedulable === true);

describe('a roll whose group is changed by people', () => {
  it('frees the last node, marked already, if its instance is protected from scale-in, and ends', async () => {
    const world = await rollingWorld();
    await until(world, () => isCordoned(world), 'the mark');
    world.account.autoScaling.operations.SetInstanceProtection({
      AutoScalingGroupName: 'workers',
      InstanceIds: idsOf(world),
      ProtectedFromScaleIn: true,
    });
    await until(world, () => seenOf(world)?.state === 'done', 'the end of the roll');
    expect(seenOf(world)?.reason).toContain('is protected from scale-in');
    expect(versionsOf(world)).toEqual([1]);
    expect(rollNodes(world)).toEqual([]);
    expect(isCordoned(world)).toBe(false);
  });

  it('stops with nothing on its nodes if the group has lost the tag of the cluster', async () => {
    const world = await rollingWorld({ size: 2 });
    await until(world, () => rollNodes(world).length > 0, 'the taints');
    world.account.autoScaling.operations.DeleteTags({
      Tags: [
        {
          Key: `kubernetes.io/cluster/${clusterName}`,
          ResourceId: 'workers',
          ResourceType: 'auto-scaling-group',
        },
      ],
    });
    await until(world, () => seenOf(world)?.state === 'stopped', 'the stop of the roll');
    expect(seenOf(world)?.reason).toContain('workers is not a managed group of the cluster any more');
    expect(rollNodes(world)).toEqual([]);
    expect(isCordoned(world)).toBe(false);
  });
});

describe('a roll that was begun on a computer whose clock is an hour ahead', () => {
  const ahead = (now: number): Partial<Roll> => ({ criterion: { kind: 'all' }, startedAt: now + hour });

  it('begins when that hour is over, and replaces each node once', async () => {
    const world = await rollingWorld({ size: 2, roll: ahead });
    const before = idsOf(world);
    await world.timeline.pass(10 * minute);
    expect(idsOf(world)).toEqual(before);
    expect(seenOf(world)?.reason).toContain('the clock of the computer that asked for it is ahead');
    const seen = new Set<string>();
    const isDone = () => {
      for (const id of idsOf(world)) seen.add(id);
      return seenOf(world)?.state === 'done';
    };
    await until(world, isDone, 'the end of the roll', 2 * 3600);
    expect(seen.size).toBe(4);
  });

  it('is aborted at once', async () => {
    const world = await rollingWorld({ roll: (now) => ({ ...ahead(now), wanted: 'aborted' }) });
    await until(world, () => seenOf(world)?.state === 'aborted', 'the end of the roll', 2 * minute);
  });
});

describe('a roll whose calls are refused', () => {
  const denied: Strike = {
    kind: 'aws-error',
    error: new AwsError({ code: 'AccessDenied', message: 'no policy allows it' }),
  };

  it.each([
    'ec2 DescribeInstances',
    'auto-scaling DescribeAutoScalingGroups',
    'auto-scaling TerminateInstanceInAutoScalingGroup',
  ])('%s: says so, and goes on once it is allowed', async (refused) => {
    let isDenied = true;
    let denials = 0;
    const world = await rollingWorld({
      strike: ({ caller, what }) => {
        if (!isDenied || caller !== 'roll' || what.replaceAll('-', '') !== refused.replaceAll('-', ''))
          return undefined;
        denials += 1;
        return denied;
      },
    });
    await world.timeline.pass(4 * minute);
    expect(denials).toBeGreaterThan(0);
    expect(seenOf(world)).toMatchObject({ state: 'running' });
    expect(seenOf(world)?.reason).toContain('the last pass has failed: ');
    expect(seenOf(world)?.reason).toContain('no policy allows it');
    isDenied = false;
    await until(world, () => seenOf(world)?.state === 'done', 'the end of the roll');
    expect(versionsOf(world)).toEqual([2]);
    expect(rollNodes(world)).toEqual([]);
  });
});
