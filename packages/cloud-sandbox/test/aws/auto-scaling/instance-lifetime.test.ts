import { describe, expect, test } from 'vitest';
import {
  type Cloud,
  createCloud,
  createGroup,
  firstInstanceId,
  membersOf,
  stateOf,
  statesOf,
} from '../support/cloud.ts';
import { replacementRule } from '../support/documented.ts';

const day = 86_400;
const page = 'asg-max-instance-lifetime';
const rule = replacementRule('a group with a maximum instance lifetime');
const launchFirst = { MinHealthyPercentage: 100, MaxHealthyPercentage: 110 };
const group = { AutoScalingGroupName: 'workers' };
const idsOf = (cloud: Cloud): string[] => membersOf(cloud).map(({ InstanceId = '' }) => InstanceId);

/** The fewest in service, and the most that terminate at once, second by second. */
function watch(cloud: Cloud, seconds: number): { fewest: number; most: number } {
  const seen = { fewest: Number.POSITIVE_INFINITY, most: 0 };
  for (let second = 0; second < seconds; second += 1) {
    cloud.advance(1);
    const states = statesOf(cloud);
    seen.fewest = Math.min(seen.fewest, states.filter((state) => state === 'InService').length);
    seen.most = Math.max(seen.most, states.filter((state) => state.startsWith('Terminating')).length);
  }
  return seen;
}

describe('the maximum instance lifetime', () => {
  rule('replaces an instance after it, terminating first', page, () => {
    const cloud = createCloud();
    createGroup(cloud, { MaxInstanceLifetime: 2 * day });
    const old = firstInstanceId(cloud);
    cloud.advance(2 * day - 60);
    expect(idsOf(cloud)).toEqual([old]);
    expect(watch(cloud, 120)).toEqual({ fewest: 0, most: 1 });
    expect(idsOf(cloud)).not.toContain(old);
    expect(statesOf(cloud)).toEqual(['InService']);
    cloud.advance(day);
    expect(statesOf(cloud)).toEqual(['InService']);
  });

  rule('launches first under a policy with a minimum of 100 percent', `${page}, Considerations`, () => {
    const cloud = createCloud();
    createGroup(cloud, {
      MaxSize: 3,
      DesiredCapacity: 3,
      MaxInstanceLifetime: day,
      InstanceMaintenancePolicy: launchFirst,
    });
    const old = idsOf(cloud);
    cloud.advance(day - 60);
    expect(watch(cloud, 600)).toEqual({ fewest: 3, most: 1 });
    expect(idsOf(cloud).some((id) => old.includes(id))).toBe(false);
  });

  rule('replaces up to 10 percent of its capacity at once', `${page}, Considerations`, () => {
    for (const [DesiredCapacity, atOnce] of [
      [5, 1],
      [30, 3],
    ] as const) {
      const cloud = createCloud();
      createGroup(cloud, { MaxSize: DesiredCapacity, DesiredCapacity, MaxInstanceLifetime: day });
      const old = idsOf(cloud);
      cloud.advance(day - 60);
      expect(watch(cloud, 900).fewest).toBe(DesiredCapacity - atOnce);
      expect(idsOf(cloud).some((id) => old.includes(id))).toBe(false);
    }
  });

  rule('keeps instances that are protected from scale in', `${page}, Considerations`, () => {
    const cloud = createCloud();
    createGroup(cloud, { MaxInstanceLifetime: day });
    const old = firstInstanceId(cloud);
    const protect = (ProtectedFromScaleIn: boolean): void => {
      const InstanceIds = [old];
      cloud.autoScaling.operations.SetInstanceProtection({ ...group, InstanceIds, ProtectedFromScaleIn });
    };
    protect(true);
    cloud.advance(3 * day);
    expect(stateOf(cloud, old)).toBe('InService');
    protect(false);
    cloud.advance(60);
    expect(stateOf(cloud, old)).toBeUndefined();
  });

  test('applies to instances that the group has already, and to none once it is 0', () => {
    const cloud = createCloud();
    createGroup(cloud);
    const old = firstInstanceId(cloud);
    cloud.advance(2 * day);
    const update = (MaxInstanceLifetime: number): void => {
      cloud.autoScaling.operations.UpdateAutoScalingGroup({ ...group, MaxInstanceLifetime });
    };
    expect(() => update(day - 1)).toThrow(/at least 86400 seconds/);
    cloud.advance(60);
    expect(idsOf(cloud)).toEqual([old]);
    update(day);
    cloud.advance(60);
    expect(idsOf(cloud)).not.toContain(old);
    const [next] = idsOf(cloud);
    update(0);
    cloud.advance(3 * day);
    expect(idsOf(cloud)).toEqual([next]);
  });

  test('leaves nothing to do once the group is deleted', () => {
    const cloud = createCloud();
    createGroup(cloud, { MaxInstanceLifetime: day });
    cloud.autoScaling.operations.DeleteAutoScalingGroup({ ...group, ForceDelete: true });
    cloud.advance(60);
    createGroup(cloud);
    const id = firstInstanceId(cloud);
    cloud.advance(2 * day);
    expect(idsOf(cloud)).toEqual([id]);
  });
});
