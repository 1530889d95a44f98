import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unlistedIn, withInstances, withWarmPools } from '../../../shared/groups/auto-scaling.ts';
import type { GroupInstance } from '../../../shared/groups/group.ts';
import { groupOf } from '../../support/waiting-group.ts';

const idOf = (index: number): string => `i-${String(index).padStart(17, '0')}`;
const names = ['workers', 'Workers', 'workers-2'];

const memberOf = (autoScalingGroupName: string, index: number): GroupInstance => ({
  instanceId: idOf(index),
  autoScalingGroupName,
  lifecycleState: 'Warmed:Pending:Wait',
  availabilityZone: 'eu-west-1a',
  healthy: true,
});

const groups = names.map((autoScalingGroupName, index) => ({
  ...groupOf({}),
  autoScalingGroupName,
  instances: [memberOf(autoScalingGroupName, index)],
}));

/** The ids of the instances of each group, by its name. */
const membersIn = (found: Awaited<ReturnType<typeof withWarmPools>>) =>
  Object.fromEntries(
    found.map(({ autoScalingGroupName, instances }) => [
      autoScalingGroupName,
      instances.map(({ instanceId }) => instanceId),
    ]),
  );

describe('instances that no list of groups shows', () => {
  it('are added each to its own group, and not to one that is not listed', () => {
    const described = fc.array(fc.option(fc.constantFrom(...names, 'foreign'), { nil: undefined }), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(described, (groupNames) => {
        const instances = groupNames.map((name, index) =>
          name === undefined ? undefined : memberOf(name, 10 + index),
        );
        expect(membersIn(withInstances(groups, instances))).toEqual(
          Object.fromEntries(
            names.map((name, index) => [
              name,
              [idOf(index), ...groupNames.flatMap((owner, at) => (owner === name ? [idOf(10 + at)] : []))],
            ]),
          ),
        );
      }),
    );
  });

  it('are those among the asked that are in no group', () => {
    expect(unlistedIn(groups, [idOf(0), idOf(7), idOf(2), idOf(8)])).toEqual([idOf(7), idOf(8)]);
    expect(unlistedIn([], [idOf(0)])).toEqual([idOf(0)]);
  });

  it('are described by their ids, and only they', async () => {
    const asked: string[] = [];
    const describeInstance = async (instanceId: string) => {
      asked.push(instanceId);
      return instanceId === idOf(7) ? memberOf('workers-2', 7) : undefined;
    };
    const found = await withWarmPools({ describeInstance }, groups, [idOf(0), idOf(7), idOf(8)]);
    expect(asked).toEqual([idOf(7), idOf(8)]);
    expect(membersIn(found)).toEqual({
      workers: [idOf(0)],
      Workers: [idOf(1)],
      'workers-2': [idOf(2), idOf(7)],
    });
  });

  it('make the whole answer fail if one of them cannot be described', async () => {
    const describeInstance = async (instanceId: string) => {
      if (instanceId === idOf(8)) throw new Error('Throttling');
      return memberOf('workers', 7);
    };
    await expect(withWarmPools({ describeInstance }, groups, [idOf(7), idOf(8)])).rejects.toThrow(
      'Throttling',
    );
  });
});
