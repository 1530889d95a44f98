import { describe, expect, it } from 'vitest';
import { groupWithoutTags } from '../../../shared/leaving/lost-tags.ts';
import { createNodeContext } from '../../support/leaving-context.ts';
import { instanceId, node } from '../../support/pods.ts';
import { groupOf } from '../../support/waiting-group.ts';

const startedAt = Date.parse('2026-11-21T07:00:00Z');
const clusterKey = 'kubernetes.io/cluster/drover';

/** What a pass takes for the group of a waiting instance whose group has these tags; undefined: no group with the tag is listed. */
async function groupWith(tags: Readonly<Record<string, string>> | undefined, isNode = true) {
  const { context } = createNodeContext(startedAt, node());
  const reading = {
    ...context,
    cluster: { ...context.cluster, getNode: async () => (isNode ? node() : undefined) },
    autoScaling: {
      ...context.autoScaling,
      describeGroup: async () => tags && { ...groupOf({}), tags },
    },
  };
  const notices = [
    { cause: 'terminating', instanceId, noticedAt: '2026-11-21T07:00:00Z', nodeName: 'node-1' },
  ] as const;
  return await groupWithoutTags(
    reading,
    { instanceId, notices },
    {
      instanceId,
      autoScalingGroupName: 'workers',
      lifecycleState: 'Terminating:Wait',
      availabilityZone: 'eu-west-1a',
      healthy: true,
    },
  );
}

describe('a waiting instance whose group is not managed any more', () => {
  it.each([
    ['has no tag of the cluster', undefined, true, clusterKey],
    [
      'has a tag of the cluster with another value',
      { [clusterKey]: 'true', 'drover.dev/role': 'worker' },
      true,
      clusterKey,
    ],
    [
      'has a tag of the cluster in capitals',
      { [clusterKey]: 'OWNED', 'drover.dev/role': 'worker' },
      true,
      clusterKey,
    ],
    ['has an empty tag of the cluster', { [clusterKey]: '' }, true, clusterKey],
    ['has no role', { [clusterKey]: 'owned' }, false, 'drover.dev/role'],
    [
      'has an unknown role',
      { [clusterKey]: 'shared', 'drover.dev/role': 'Worker' },
      false,
      'drover.dev/role',
    ],
  ])('may be written to only with the tag of the cluster: its group %s', async (_, tags, isDenied, lost) => {
    const found = await groupWith(tags);
    expect(found).toMatchObject({ isDenied, group: { autoScalingGroupName: 'workers' } });
    expect(found?.notes).toEqual([
      expect.stringContaining(`workers has lost the tag ${lost} during the wait`),
    ]);
    expect(found?.notes[0]).toContain(`Key=${lost},`);
  });

  it('is not of this cluster if it has no Node', async () => {
    expect(await groupWith(undefined, false)).toBeUndefined();
  });
});
