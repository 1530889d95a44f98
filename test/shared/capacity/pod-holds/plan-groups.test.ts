import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../../shared/base/clock.ts';
import { createSilence } from '../../../../shared/base/side-by-side.ts';
import { emptySurroundings } from '../../../../shared/capacity/plan/pod.ts';
import { type PlansSilence, planGroups } from '../../../../shared/capacity/pod-holds/plan-groups.ts';
import type { PodsOfGroup } from '../../../../shared/capacity/pod-holds/plan-pods.ts';
import type { PodsReading } from '../../../../shared/capacity/pod-holds/pods-reading.ts';
import type { PodsRead } from '../../../../shared/capacity/pod-holds/read-pods.ts';
import { group, start } from '../holds/fixtures.ts';
import { groupOf } from '../plan/fixtures.ts';
import { web } from './fixtures.ts';

/** A second passes at each call of this clock, so that each pod that is placed does. */
function secondsPerPod(): Clock {
  let now = start;
  return {
    now: () => {
      now += 1000;
      return now;
    },
  };
}

const createPlansSilence = (): PlansSilence => createSilence((one) => one.group.autoScalingGroupName);

const withPods = (autoScalingGroupName: string, total: number): PodsOfGroup => ({
  group: group({ autoScalingGroupName, maxSize: 50 }),
  holds: [{ name: 'sale', pods: web({ total }), raiseMaxSize: false }],
});

const [small, other, large, larger] = [
  withPods('small', 1),
  withPods('other', 1),
  withPods('large', 200),
  withPods('larger', 300),
];

const read: PodsRead = {
  kind: 'read',
  readAt: start,
  input: {
    nodes: [],
    groups: ['small', 'other', 'large', 'larger'].map((name) => groupOf(name)),
    groupsWithoutTemplate: [],
    pending: [],
    unplannable: [],
    surroundings: emptySurroundings,
    warnings: [],
  },
  seen: new Map(),
  joinTimeoutSeconds: 720,
};

/** One run, in which each group has 100 s. */
const run = (
  asked: readonly PodsOfGroup[],
  { silence = createPlansSilence(), seconds = 1000 } = {},
): ReadonlyMap<string, PodsReading> =>
  planGroups(read, {
    asked,
    maxSizeLimit: 100,
    inTime: {
      clock: secondsPerPod(),
      eachMilliseconds: 100_000,
      endsAt: start + seconds * 1000,
      silence,
    },
  });

const planned = (readings: ReadonlyMap<string, PodsReading>): readonly string[] =>
  [...readings].filter(([, { kind }]) => kind === 'read').map(([name]) => name);

describe('plans of several groups', () => {
  it('gives up the group that takes too long, says what helps, and goes on with the next', () => {
    const readings = run([large, small]);
    expect(readings.get('large')).toEqual({
      kind: 'failed',
      readAt: start,
      why: 'the plan for group large takes longer than 100 s: let its holds ask for fewer pods, or for nodes',
    });
    expect(readings.get('small')).toMatchObject({ kind: 'read', nodes: 1 });
  });

  it('have no limit for a caller that sets none', () => {
    expect(planned(planGroups(read, { asked: [large, small], maxSizeLimit: 100 }))).toEqual([
      'large',
      'small',
    ]);
  });

  it('say that no time was left for a group, and begin with it the next time', () => {
    const silence = createPlansSilence();
    const readings = run([large, small, other], { silence, seconds: 100 });
    expect(planned(readings)).toEqual([]);
    expect(readings.get('small')).toMatchObject({
      kind: 'failed',
      why: 'reading the cluster and planning other groups left no time to plan group small: the next run plans it earlier',
    });
    expect([...run([large, small, other], { silence }).keys()]).toEqual(['small', 'other', 'large']);
  });

  it('never plan one group only because another takes too long: of two, one is planned in each run', () => {
    const silence = createPlansSilence();
    const first = run([large, larger, small], { silence, seconds: 150 });
    const second = run([large, larger, small], { silence, seconds: 150 });
    expect([...first.keys()]).toEqual(['large', 'larger', 'small']);
    // The last one had no time, the second one less than its own: both have it now.
    expect([...second.keys()]).toEqual(['larger', 'small', 'large']);
    expect(planned(second)).toEqual(['small']);
  });

  it('begin with other groups after one has used all the time there was', () => {
    const silence = createPlansSilence();
    const short = { silence, seconds: 50 };
    expect(run([large, small], short).get('large')).toMatchObject({
      why: expect.stringContaining('group large takes longer than 49 s'),
    });
    expect(planned(run([large, small], short))).toEqual(['small']);
  });

  it('have no time if the read has used all of it', () => {
    expect(planned(run([small], { seconds: 0 }))).toEqual([]);
  });

  it('fail with the reason of the read if nothing was read, and keep the order', () => {
    const silence = createPlansSilence();
    const inTime = { clock: secondsPerPod(), eachMilliseconds: 1, endsAt: start, silence };
    const failed = { kind: 'failed' as const, readAt: start, why: 'busy' };
    const readings = planGroups(failed, { asked: [large, small], maxSizeLimit: 100, inTime });
    expect([...readings.values()]).toEqual([failed, failed]);
    expect(silence.silentLast([large, small])).toEqual([large, small]);
  });
});
