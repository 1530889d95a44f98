import { describe, expect, it } from 'vitest';
import type { TimerClock } from '../../../../shared/base/clock.ts';
import {
  type CapacityNotice,
  newestReading,
  readCapacityMessage,
} from '../../../../shared/capacity/holds/message.ts';
import { createScanSilence, scanHolds } from '../../../../shared/capacity/holds/scan-holds.ts';
import { groupsWithPods, scanPods } from '../../../../shared/capacity/holds/scan-pods.ts';
import { KubernetesError } from '../../../../shared/kubernetes/status.ts';
import { finished } from '../../../support/item-faults.ts';
import { createMemoryQueue } from '../../../support/memory-queue.ts';
import { fakeReader, nodeOfInstance } from '../pod-holds/fake-cluster.ts';
import { web } from '../pod-holds/fixtures.ts';
import { group as groupWith, holdOf, hour, known, start } from './fixtures.ts';
import { createHoldWorld } from './world.ts';

const forPods = {
  autoScalingGroupName: 'workers',
  name: 'sale',
  nodes: 0,
  pods: web(),
  until: start + hour,
  raiseMaxSize: false,
  createdAt: start,
};

/** @param perCallMilliseconds how much time passes at each call of the clock: a plan calls it for each pod. */
function createScan(fake: Parameters<typeof fakeReader>[0] | 'off' = {}, { perCallMilliseconds = 0 } = {}) {
  const world = createHoldWorld();
  const { reader, asked, launchesRead } = fakeReader(fake === 'off' ? {} : fake);
  const queue = createMemoryQueue();
  const groups = [
    groupWith({
      instances: [
        {
          instanceId: 'i-0123456789abcdef0',
          lifecycleState: 'InService',
          availabilityZone: 'eu-west-1a',
          healthy: true,
        },
      ],
    }),
    groupWith({ autoScalingGroupName: 'others' }),
  ];
  const silence = createScanSilence();
  const clock: TimerClock = {
    ...world.clock,
    now: () => {
      world.clock.moveTo(world.clock.now() + perCallMilliseconds);
      return world.clock.now();
    },
  };
  const sent: { readonly at: number; readonly names: readonly string[] }[] = [];
  const send: typeof queue.send = async (messages) => {
    // A call takes a while, in which the cluster has been read.
    await turns(50);
    const unsent = await queue.send(messages);
    sent.push({ at: world.clock.now(), names: messages.map(({ groupId = '' }) => groupId) });
    return unsent;
  };
  const scan = () =>
    scanHolds({
      ...world.context,
      groups: { ...world.context.groups, listGroups: async () => groups },
      clock,
      silence,
      send,
      sendGivingBack: createMemoryQueue().send,
      schedules: { readSchedules: async () => ({ records: [], failures: [] }), readLaunches: async () => [] },
      readReasons: async () => [],
      pods: fake === 'off' ? undefined : reader,
    });
  const notices = (): readonly CapacityNotice[] =>
    queue.messages.flatMap(({ body }) => {
      const read = readCapacityMessage(body);
      return read.kind === 'message' ? [read.message.notice] : [];
    });
  return { ...world, scan, asked, launchesRead, notices, sent };
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
}

describe('the scan of holds for pods', () => {
  it('reads the pods once, and sends what it found to the pass of the group', async () => {
    const { scan, hold, asked, notices } = createScan({ nodes: [nodeOfInstance()] });
    hold(forPods);
    hold({ ...forPods, name: 'second', pods: web({ total: 8 }) });
    expect((await scan()).sent).toEqual(['workers']);
    expect(asked.toSorted()).toEqual(['nodes', 'pods']);
    expect(newestReading(notices())).toMatchObject({
      kind: 'read',
      nodes: 5,
      holds: { sale: { total: 40, open: 40, placed: 8 }, second: { open: 8, placed: 8 } },
    });
  });

  it('asks AWS only for the launches of groups with holds for pods, not for every empty group', async () => {
    const { scan, hold, launchesRead } = createScan({ nodes: [] });
    hold(forPods);
    await scan();
    expect(launchesRead).toEqual(['workers']);
  });

  it.each([
    ['there is no hold', []],
    ['a hold asks for nodes', [{ ...forPods, pods: undefined, nodes: 3 }]],
    ['a hold for pods has ended', [{ ...forPods, until: start - 1000 }]],
    ['a hold for pods was ended early', [{ ...forPods, endedAt: start - 1000 }]],
    ['its group does not exist', [{ ...forPods, autoScalingGroupName: 'gone' }]],
  ])('reads nothing of the cluster if %s', async (_, holds) => {
    const { scan, hold, asked } = createScan();
    for (const { pods, ...one } of holds) hold({ ...one, ...(pods && { pods }) });
    await scan();
    expect(asked).toEqual([]);
  });

  it('keeps holds of nodes from waiting for a read that hangs, and reports it within the time of an invocation', async () => {
    const { scan, hold, notices, clock } = createScan({ listPods: () => new Promise(() => {}) });
    hold(forPods);
    hold({ ...forPods, autoScalingGroupName: 'others', nodes: 6, pods: undefined });
    const report = scan();
    await turns(100);
    expect(notices().map(({ autoScalingGroupName }) => autoScalingGroupName)).toEqual(['others']);
    const { groups, sent } = await finished(clock, report);
    expect(clock.now() - start).toBeLessThan(18_000);
    expect(sent).toEqual(['others', 'workers']);
    expect(groups.flatMap(({ problems }) => problems)).toEqual([
      'holds for pods bring no nodes: the pods of the cluster cannot be read: no answer within 9 s',
    ]);
  });

  it('gives up a plan that takes too long, and breaks no hold of nodes, in its group or in another', async () => {
    const { scan, hold, notices, clock, sent } = createScan(
      { nodes: [nodeOfInstance()] },
      { perCallMilliseconds: 50 },
    );
    hold(forPods);
    hold({ ...forPods, name: 'night', nodes: 7, pods: undefined });
    hold({ ...forPods, autoScalingGroupName: 'others', nodes: 6, pods: undefined });
    const { groups, failures } = await scan();
    expect(clock.now() - start).toBeLessThan(14_000);
    expect(failures).toEqual([]);
    expect(groups.flatMap(({ problems }) => problems)).toEqual([
      'holds for pods bring no nodes: the plan for group workers takes longer than 5 s: let its holds ask for fewer pods, or for nodes',
    ]);
    expect(groups.map(({ action }) => action)).toMatchObject([
      { kind: 'set', bounds: { minSize: 6 } },
      { kind: 'set', bounds: { minSize: 7 } },
    ]);
    expect(newestReading(notices())).toMatchObject({ kind: 'failed' });
    // A plan stops everything else until it ends.
    const [first, second] = sent;
    expect([first?.names, second?.names]).toEqual([['others'], ['workers']]);
    expect((first?.at ?? 0) - start).toBeLessThan(3000);
    expect((second?.at ?? 0) - start).toBeGreaterThan(5000);
  });

  it.each([
    ['is denied', new KubernetesError('forbidden', 'list pods: prewarm may not do this')],
    ['is throttled', new KubernetesError('throttled', 'list pods: too many requests')],
    ['fails in another way', new TypeError('odd')],
  ])('reports a read that %s as a problem, and does not fail', async (_, error) => {
    const { scan, hold, notices } = createScan({ listPods: () => Promise.reject(error) });
    hold(forPods);
    const { groups } = await scan();
    expect(groups[0]?.problems.join()).toContain(error.message);
    expect(newestReading(notices())).toMatchObject({
      kind: 'failed',
      why: expect.stringContaining(error.message),
    });
  });

  it('says which parameter is needed if the deployment may not read pods', async () => {
    const { scan, hold } = createScan('off');
    hold(forPods);
    expect((await scan()).groups[0]?.problems.join()).toContain(
      'holds for pods bring no nodes: this deployment may not read pods: set its parameter podHolds to on',
    );
  });

  it('reports what it may not read beside the pods, with what follows from it', async () => {
    const { scan, hold } = createScan({ nodes: [nodeOfInstance()], mayListVolumes: false });
    hold(forPods);
    expect((await scan()).scheduleProblems.join()).toContain('PersistentVolumes cannot be read (forbidden)');
  });

  it('reports pods that no further node takes at once, and not pods whose nodes are being launched', async () => {
    const { scan, hold } = createScan({ nodes: [nodeOfInstance()] });
    hold(forPods);
    expect((await scan()).groups[0]?.problems).toEqual([]);
    hold({ ...forPods, pods: web({ total: 200 }) });
    expect((await scan()).groups[0]?.problems).toEqual([
      'hold sale: 120 of its 200 pods that are not there yet have no place: MaxSize is 10: raise it, or let the hold raise it',
    ]);
  });
});

describe('the pods of groups, when the scan has begun a while ago', () => {
  /** The clock moves at each call of it, as in a plan, which calls it for each pod. */
  async function scanBegun(
    secondsAgo: number,
    fake: Parameters<typeof fakeReader>[0],
    { perCallMilliseconds = 0 } = {},
  ) {
    const virtual = createHoldWorld().clock;
    const clock: TimerClock = {
      ...virtual,
      now: () => {
        virtual.moveTo(virtual.now() + perCallMilliseconds);
        return virtual.now();
      },
    };
    const asked = groupsWithPods(
      new Map([['workers', groupWith()]]),
      new Map([['workers', { holds: [holdOf({ nodes: 0, pods: web() })], record: known() }]]),
      start,
    );
    const scanned = scanPods(asked, {
      groups: [groupWith()],
      clusterName: 'drover',
      maxSizeLimit: 100,
      reader: fakeReader(fake).reader,
      clock,
      startedAt: start - secondsAgo * 1000,
      silence: createScanSilence().plans,
    });
    const plan = await finished(virtual, scanned);
    const readMilliseconds = virtual.now() - start;
    const { readings } = plan();
    return { readMilliseconds, reading: readings.get('workers'), milliseconds: virtual.now() - start };
  }
  const hanging = { listPods: () => new Promise<never>(() => {}) };

  it.each([
    [0, 9],
    [4, 9],
    [8, 6],
    [12.5, 1.5],
    [30, 1],
  ])(
    'are awaited until its 14th second, and for a second in any case: begun %d s ago, %d s',
    async (secondsAgo, seconds) => {
      const { readMilliseconds, reading } = await scanBegun(secondsAgo, hanging);
      expect(readMilliseconds).toBe(seconds * 1000);
      expect(reading).toMatchObject({
        kind: 'failed',
        why: expect.stringContaining('the pods of the cluster cannot be read: no answer within'),
      });
    },
  );

  it.each([
    [0, 5],
    [11, 3],
  ])('are planned until its 14th second: begun %d s ago, for at most %d s', async (secondsAgo, seconds) => {
    const late = await scanBegun(secondsAgo, { nodes: [nodeOfInstance()] }, { perCallMilliseconds: 100 });
    expect(late.reading?.kind).toBe('failed');
    expect(late.milliseconds).toBeGreaterThan(seconds * 1000 - 1000);
    expect(late.milliseconds).toBeLessThan(seconds * 1000 + 1000);
    const fast = await scanBegun(secondsAgo, { nodes: [nodeOfInstance()] });
    expect(fast.reading?.kind).toBe('read');
  });
});

describe('the groups whose pods are read', () => {
  const remembered = { nodes: 7, readAt: start, holds: {} };
  const holds = [
    holdOf({ name: 'sale', nodes: 0, pods: web() }),
    holdOf({ name: 'over', nodes: 0, pods: web(), until: start - 1 }),
    holdOf({ name: 'noon' }),
  ];
  const askedOf = (group: ReturnType<typeof groupWith>, own = holds) =>
    groupsWithPods(
      new Map([['workers', group]]),
      new Map([
        ['workers', { holds: own, record: known({ pods: remembered }) }],
        ['gone', { holds: own, record: known() }],
      ]),
      start,
    );

  it('are those with an active hold for pods, with what is remembered of them', () => {
    expect(askedOf(groupWith())).toMatchObject([{ holds: [{ name: 'sale' }], remembered }]);
    expect(askedOf(groupWith(), [holdOf({ name: 'noon' })])).toEqual([]);
  });

  it('are neither those of etcd nor those that count units, which have no holds', () => {
    const etcd = { ...groupWith().tags, 'drover.dev/role': 'etcd' };
    expect(askedOf(groupWith({ tags: etcd }))).toEqual([]);
    expect(askedOf(groupWith({ countsUnits: true }))).toEqual([]);
  });
});
