import { createManualClock } from '@drover/cloud-sandbox/test/aws/support/manual-clock.ts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createManagedGroups } from '../../../shared/aws/managed-groups.ts';
import { groupOf } from '../../support/waiting-group.ts';

const managedTags = { 'kubernetes.io/cluster/prod': 'owned', 'drover.dev/role': 'worker' };

const member = {
  autoScalingGroupName: 'workers',
  lifecycleState: 'InService',
  availabilityZone: 'eu-west-1a',
  healthy: true,
};

/** Auto Scaling with one group, whose tags may change. */
function createWorld(first: Readonly<Record<string, string>>) {
  let tags: typeof first | Error | undefined = first;
  const manual = createManualClock();
  let behind = 0;
  const clock = {
    now: () => manual.now() - behind * 1000,
    advance: (seconds: number) => manual.advance(seconds),
    setBack: (seconds: number) => void (behind = seconds),
  };
  const autoScaling = {
    describeInstance: async () => undefined,
    describeGroup: async () => {
      if (tags instanceof Error) throw tags;
      return tags && { ...groupOf({}), tags };
    },
  };
  const managed = createManagedGroups({ autoScaling, clock, clusterName: 'prod' });
  return { managed, clock, retag: (next: typeof tags) => void (tags = next) };
}

describe('the answer that a group', () => {
  it('is not managed is not remembered, because the group may just have got its tags', async () => {
    const { managed, retag } = createWorld({});
    expect(await managed.isManaged('workers')).toBe(false);
    retag(managedTags);
    expect(await managed.isManaged('workers')).toBe(true);
  });

  it('is managed is remembered for an hour', async () => {
    const { managed, clock, retag } = createWorld(managedTags);
    expect(await managed.managedRoleOf('workers')).toBe('worker');
    retag({});
    clock.advance(3599);
    expect(await managed.managedRoleOf('workers')).toBe('worker');
    clock.advance(1);
    expect(await managed.managedRoleOf('workers')).toBeUndefined();
  });

  it('is managed is read again after the clock was set back', async () => {
    const { managed, clock, retag } = createWorld(managedTags);
    await managed.managedRoleOf('workers');
    retag({});
    clock.setBack(7200);
    expect(await managed.managedRoleOf('workers')).toBeUndefined();
  });

  it.each([
    ['is gone', undefined],
    ['has another role', { ...managedTags, 'drover.dev/role': 'etcd' }],
  ])('is managed ends within the hour after the group %s', async (_, next) => {
    const { managed, clock, retag } = createWorld(managedTags);
    await managed.managedRoleOf('workers');
    retag(next);
    clock.advance(3600);
    expect(await managed.managedRoleOf('workers')).toBe(next?.['drover.dev/role']);
  });

  it('is unknown while Auto Scaling throttles, and then asked for again, but a remembered answer is used', async () => {
    const { managed, clock, retag } = createWorld(managedTags);
    await managed.managedRoleOf('workers');
    retag(new Error('throttled'));
    clock.advance(3599);
    expect(await managed.isManaged('workers')).toBe(true);
    clock.advance(1);
    await expect(managed.isManaged('workers')).rejects.toThrow('throttled');
    retag(managedTags);
    expect(await managed.isManaged('workers')).toBe(true);
  });
});

it('the group of an instance is found whichever lookups of other instances fail', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat({ max: 20 })), async (failing) => {
      const managed = createManagedGroups({
        autoScaling: {
          describeGroup: async () => undefined,
          describeInstance: async (instanceId) => {
            if (failing.includes(Number(instanceId))) throw new Error('Throttling');
            return { ...member, instanceId };
          },
        },
        clock: createManualClock(),
        clusterName: 'prod',
      });
      const ids = Array.from({ length: 21 }, (_, index) => index);
      const found = await Promise.allSettled(ids.map((id) => managed.groupOfInstance(String(id))));
      for (const id of ids) expect(found[id]?.status).toBe(failing.includes(id) ? 'rejected' : 'fulfilled');
    }),
  );
});
