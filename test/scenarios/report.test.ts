import type { Activity } from '@aws-sdk/client-auto-scaling';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Part, Report } from '../../cli/report/report-of.ts';
import { functionsFromSource } from '../../local/cloud/functions.ts';
import { joiningHookName } from '../../local/names.ts';
import {
  createDroverWorld,
  type DroverWorld,
  membersOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { putHold } from '../../local/world/holds.ts';
import { heldDeployment, podsNamed, request, run } from '../../local/world/workloads.ts';
import { isoSeconds } from '../../shared/base/iso-seconds.ts';
import { leavingMessage } from '../../shared/passes/leaving-message.ts';
import type { CreateHandler } from '../../shared/runtime/host.ts';
import { operatorOf } from '../cli/operator.ts';
import { untilGone } from '../support/observed-instance.ts';

/** REPORT_DAYS=30 simulates a month, with about ten seconds of CPU for each day. */
const days = Number(process.env.REPORT_DAYS ?? 2);
const minute = 60;
const hour = 60 * minute;
const group = 'workers';
const base = 2;

/** What was done to the group. */
interface Deeds {
  /** Instances that left although nothing held them, or once the budget was deleted. */
  readonly drained: string[];
  /** The seconds for which the budget held them. */
  readonly held: Map<string, number>;
  readonly forced: string[];
  /** When holds asked for nodes, in epoch milliseconds. */
  readonly holds: { readonly from: number; readonly to: number; readonly nodes: number }[];
}

let world: DroverWorld;
let since: number;
const deeds: Deeds = { drained: [], held: new Map(), forced: [], holds: [] };
/** One for each day: the simulated CloudWatch Logs keep the lines of about three. */
const reports: Report[] = [];

const setDesired = (DesiredCapacity: number): void =>
  void world.account.autoScaling.operations.SetDesiredCapacity({
    AutoScalingGroupName: group,
    DesiredCapacity,
  });

/** Auto Scaling replaces it at once. */
async function leave(instanceId: string, withinSeconds = 2 * hour): Promise<number> {
  terminate(world, instanceId);
  return await untilGone(world, instanceId, withinSeconds);
}

const someInstance = (): string =>
  membersOf(world, group).find(({ LifecycleState }) => LifecycleState === 'InService')?.InstanceId ?? '';

const instanceOfPod = (app: string): string => {
  const nodeName = podsNamed(world, app)[0]?.spec?.nodeName;
  const node = world.kubernetes.store
    .of('nodes')
    .list()
    .find(({ metadata }) => metadata?.name === nodeName);
  return node?.spec?.providerID?.split('/').at(-1) ?? '';
};

const setCapacity = (available: boolean): void => {
  for (const { availabilityZone } of world.account.ec2.instances.subnets())
    world.account.ec2.accidents.setCapacity({ instanceType: 'm5.large', availabilityZone, available });
};

/** A node whose pod a budget holds: until the budget is deleted after some minutes, or until the deadline. */
async function leaveHeld(releasedAfterMinutes: number | undefined): Promise<void> {
  const instanceId = instanceOfPod('web');
  terminate(world, instanceId);
  if (releasedAfterMinutes === undefined) {
    await untilGone(world, instanceId, 3 * hour);
    deeds.forced.push(instanceId);
    return;
  }
  await world.timeline.pass(releasedAfterMinutes * minute);
  const path = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
  const [, budget] = heldDeployment({ name: 'web', replicas: 1 });
  await request(world, 'DELETE', `${path}/web`);
  deeds.held.set(instanceId, releasedAfterMinutes * minute);
  await untilGone(world, instanceId);
  await request(world, 'POST', path, budget);
  deeds.drained.push(instanceId);
}

async function hold(name: string, nodes: number, minutes: number): Promise<void> {
  const from = world.clock.now();
  putHold(world, { name, nodes, minutes });
  await world.timeline.pass(minutes * minute);
  deeds.holds.push({ from, to: world.clock.now(), nodes });
  // As an autoscaler does once MinSize is down again.
  await world.timeline.pass(3 * minute);
  setDesired(base);
  await world.timeline.pass(10 * minute);
}

/** One day: leaves of several kinds, a hold that is kept, one that EC2 has no instances for, and launches that fail. */
async function liveDay(day: number): Promise<void> {
  const begin = world.clock.now();
  await world.timeline.pass(2 * hour);
  const leaving = someInstance();
  await leave(leaving);
  deeds.drained.push(leaving);
  await world.timeline.pass(hour);
  await leaveHeld(12 + (day % 10));
  await world.timeline.pass(hour);
  await leaveHeld(undefined);
  await hold('sale', 4, 180);
  setCapacity(false);
  await hold('night', 5, 40);
  setCapacity(true);
  await world.timeline.pass(24 * hour - (world.clock.now() - begin) / 1000);
}

async function reportSince(time: number): Promise<Report> {
  const { code, out, err } = await operatorOf(world)(`report --json --since ${isoSeconds(time)}`);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out) as Report;
}

const idle: CreateHandler = () => () => Promise.resolve({ batchItemFailures: [] });
const awake = new Set(['intake', 'node-leaving', 'node-joining', 'heartbeats', 'prewarm', 'sweep']);

async function liveDays(): Promise<void> {
  world = createDroverWorld({
    functions: Object.fromEntries(
      Object.entries(functionsFromSource).map(([name, create]) => [name, awake.has(name) ? create : idle]),
    ),
  });
  await withWorkers(world, { size: base, settings: { MinSize: base, MaxSize: 8 } });
  world.account.autoScaling.operations.PutLifecycleHook({
    AutoScalingGroupName: group,
    LifecycleHookName: joiningHookName,
    LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
    HeartbeatTimeout: 300,
    DefaultResult: 'ABANDON',
  });
  await run(world, ...heldDeployment({ name: 'web', replicas: 1 }));
  await world.timeline.pass(10 * minute);
  since = world.clock.now();
  for (let day = 0; day < days; day += 1) {
    const begin = world.clock.now();
    await liveDay(day);
    reports.push(await reportSince(begin));
  }
}

const known = <Value>(part: Part<Value>): Value => {
  if (part.kind === 'unknown') throw new Error(part.reason);
  return part.value;
};
const all = <Item>(of: (report: Report) => readonly Item[]): readonly Item[] => reports.flatMap(of);
const leaves = () => all(({ drains }) => known(drains).leaves);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** The account's own book: every activity of the group since the first day began. */
function activities(): readonly Activity[] {
  const found: Activity[] = [];
  let NextToken: string | undefined;
  do {
    const page = world.account.autoScaling.operations.DescribeScalingActivities({
      AutoScalingGroupName: group,
      MaxRecords: 100,
      ...(NextToken !== undefined && { NextToken }),
    });
    found.push(...(page.Activities as readonly Activity[]));
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  return found;
}

const instanceOf = ({ Description = '' }: Activity): string => /i-[0-9a-f]{17}/.exec(Description)?.[0] ?? '';
const ofKind = (words: string): readonly Activity[] =>
  activities().filter(
    ({ Description = '', StartTime }) => Description.startsWith(words) && Number(StartTime) >= since,
  );
const terminations = () => ofKind('Terminating EC2 instance');
const launches = () => ofKind('Launching a new EC2 instance');

describe('the report of simulated days', () => {
  beforeAll(liveDays, 1_800_000);

  it('has every termination through the hook once, with the times of the account', () => {
    expect(
      leaves()
        .map(({ instanceId }) => instanceId)
        .toSorted(),
    ).toEqual(terminations().map(instanceOf).toSorted());
    for (const activity of terminations()) {
      const leave = leaves().find(({ instanceId }) => instanceId === instanceOf(activity));
      const end = leave?.end ?? 0;
      expect(Math.abs(Number(activity.EndTime) - end)).toBeLessThan(120_000);
      expect(leave?.drainSeconds).toBeLessThanOrEqual(
        (Number(activity.EndTime) - Number(activity.StartTime)) / 1000,
      );
      expect(leave?.group).toBe(group);
    }
    expect(leaves().length).toBeGreaterThanOrEqual(3 * days);
    expect(all(({ drains }) => [known(drains).terminatedWithoutLeave])).toEqual(reports.map(() => 0));
  });

  it('has for how long the budget held each node, and the pods that the deadline forced', () => {
    for (const [instanceId, seconds] of deeds.held) {
      const leave = leaves().find((one) => one.instanceId === instanceId);
      expect(leave).toMatchObject({ result: 'drained', podsForced: 0 });
      // A pass looks again within half a minute.
      expect(leave?.budgets['default/web']).toBeGreaterThanOrEqual(seconds - 5);
      expect(leave?.budgets['default/web']).toBeLessThanOrEqual(seconds + 35);
    }
    const forced = leaves().filter(({ podsForced }) => podsForced > 0);
    expect(forced.map(({ instanceId }) => instanceId)).toEqual(expect.arrayContaining(deeds.forced));
    for (const { drainSeconds, podsForced, budgets } of forced) {
      expect(podsForced).toBe(1);
      expect(Math.abs((budgets['default/web'] ?? 0) - (drainSeconds ?? 0))).toBeLessThan(30);
    }
    const total = sum(all(({ budgets }) => known(budgets).map(({ seconds }) => seconds)));
    expect(total).toBeCloseTo(sum(leaves().map(({ budgets }) => budgets['default/web'] ?? 0)), -1);
    expect(deeds.held.size).toBe(days);
  });

  it('has every launch: those that joined, and those that EC2 refused, with its words', () => {
    const ended = launches().filter(({ EndTime }) => EndTime !== undefined);
    const good = ended.filter(({ StatusCode }) => StatusCode === 'Successful');
    const joined = all(({ joins }) => known(joins).joins).filter(({ result }) => result === 'joined');
    expect(joined.map(({ instanceId }) => instanceId).toSorted()).toEqual(good.map(instanceOf).toSorted());
    const failed = all(({ launches: of }) => known(of).failed);
    expect(sum(failed.map(({ count }) => count))).toBe(ended.length - good.length);
    expect(failed[0]?.reason).toContain('sufficient m5.large capacity');
  });

  it('has the holds that were kept and those that were not, and their node-hours as the account has them', () => {
    const holds = all(({ holds: of }) => known(of).holds);
    expect(holds.map(({ name, result }) => `${name} ${result}`)).toEqual(
      Array.from({ length: days }, () => ['sale kept', 'night never']).flat(),
    );
    const hours = sum(all(({ holds: of }) => known(of).hours.map(({ nodeHours }) => nodeHours)));
    // A scan a minute sees each of two nodes come and go.
    expect(Math.abs(hours - hoursOfHolds())).toBeLessThan((days * 4) / 60);
    expect(hours).toBeGreaterThan(5 * days);
  });

  it('covers all of its time', () => {
    expect(reports.map(({ covers }) => covers.missing)).toEqual(reports.map(() => []));
    expect(world.problems).toEqual([]);
  });
});

/** The node-hours above the base and up to what holds asked for, from the activities: from the launch to the begin of the termination. */
function hoursOfHolds(): number {
  const lives = activities()
    .filter(
      ({ Description = '', StatusCode }) =>
        Description.startsWith('Launching') && StatusCode === 'Successful',
    )
    .map((launch) => {
      const end = terminations().find((one) => instanceOf(one) === instanceOf(launch));
      return { from: Number(launch.StartTime), to: Number(end?.StartTime ?? Infinity) };
    });
  const step = 1000;
  return sum(
    deeds.holds.map(({ from, to, nodes }) => {
      let seconds = 0;
      for (let at = from; at < to; at += step) {
        const count = lives.filter((life) => life.from <= at && at < life.to).length;
        seconds += Math.max(0, Math.min(count, nodes) - base);
      }
      return seconds / 3600;
    }),
  );
}

/** Calls of node-leaving are done and not answered, and messages come twice: passes end without their line, or are repeated once their instance is gone. */
it('has every leave once although passes are killed after their calls, and messages come again', async () => {
  const random = createRandom(7);
  const kinds = ['kill-after', 'fail-after', 'hang-after'] as const;
  let isHard = false;
  let struck = 0;
  const hard = createDroverWorld({
    duplicateChance: 0.3,
    weather: {
      strike: ({ caller }) => {
        if (!isHard || caller !== 'node-leaving' || random.next() > 0.12) return undefined;
        struck += 1;
        return { kind: kinds[struck % kinds.length] ?? 'kill-after' };
      },
    },
  });
  const ids = await withWorkers(hard, { size: 6, settings: { MinSize: 0, MaxSize: 8 } });
  isHard = true;
  const { controls } = hard.account.sqs;
  for (const instanceId of ids) {
    const noticedAt = new Date(hard.clock.now()).toISOString();
    terminate(hard, instanceId, { replace: false });
    await untilGone(hard, instanceId, hour);
    await hard.timeline.pass(20 * minute);
    // A message that is delivered again, or moved back from the dead letters.
    const { body, groupId, deduplicationId } = leavingMessage(
      { cause: 'terminating', instanceId, noticedAt },
      noticedAt,
    );
    controls.send(controls.queueNames().find((name) => name.endsWith('-LeavingQueue.fifo')) ?? '', {
      MessageBody: body,
      ...(groupId !== undefined && { MessageGroupId: groupId }),
      ...(deduplicationId !== undefined && { MessageDeduplicationId: deduplicationId }),
    });
    await hard.timeline.pass(5 * minute);
  }
  const { out } = await operatorOf(hard)('report --json --since 12h');
  const { drains } = JSON.parse(out) as Report;
  const found = known(drains).leaves.map(({ instanceId }) => instanceId);
  expect(found.toSorted()).toEqual(ids.toSorted());
  expect(known(drains)).toMatchObject({ stillLeaving: 0, terminatedWithoutLeave: 0 });
  expect(struck).toBeGreaterThan(10);
}, 120_000);
