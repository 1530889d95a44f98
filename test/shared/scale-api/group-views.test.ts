import { describe, expect, it } from 'vitest';
import { viewGroup, viewGroupSummary } from '../../../shared/scale-api/group-views.ts';
import { groupWith, instanceId, nodeOf, seen, unknown } from '../capacity/fixtures.ts';

const group = {
  ...groupWith(['InService', 'Pending', 'Terminating:Wait'], { minSize: 1 }),
  role: 'worker' as const,
};
const summary = {
  autoScalingGroupName: 'workers',
  role: 'worker',
  minSize: 1,
  maxSize: 10,
  desiredCapacity: 1,
  instances: { pending: 1, inService: 1, terminating: 1, other: 0 },
};

describe('a group', () => {
  it('is listed with its sizes and its counts, and nothing else', () => {
    expect(viewGroupSummary(group, seen(nodeOf(1)))).toEqual({
      ...summary,
      nodes: { status: 'seen', ready: 1, notReady: 0, leaving: 0, missing: 0 },
    });
    expect(viewGroupSummary(group, unknown)).toEqual({ ...summary, nodes: unknown });
    expect(viewGroupSummary({ ...group, countsUnits: true }, unknown)).toMatchObject({ countsUnits: true });
  });

  it('is shown with each instance and its Node', () => {
    const leaving = { leaving: true, waitingFor: ['shop/web-1'] };
    const { members, ...rest } = viewGroup(group, seen(nodeOf(1), nodeOf(3, leaving)));
    expect(rest).toMatchObject(summary);
    expect(members).toEqual([
      {
        ...shownInstance(1, 'InService'),
        node: { ...shownNode(1), unschedulable: false, leaving: undefined },
      },
      { ...shownInstance(2, 'Pending'), node: { status: 'none' } },
      {
        ...shownInstance(3, 'Terminating:Wait'),
        node: {
          ...shownNode(3),
          unschedulable: true,
          leaving: {
            cause: 'terminating',
            since: '2026-11-21T08:00:00Z',
            until: undefined,
            waitingFor: ['shop/web-1'],
          },
        },
      },
    ]);
  });

  it('shows why Nodes are unknown', () => {
    expect(viewGroup(group, unknown).members.map(({ node }) => node)).toEqual([unknown, unknown, unknown]);
  });

  it('has its managed node group of EKS, if any', () => {
    const nodegroup = { eksClusterName: 'prod', nodegroupName: 'blue', status: 'ACTIVE', healthIssues: [] };
    expect(viewGroup(group, seen(), nodegroup).nodegroup).toEqual(nodegroup);
    expect(viewGroup(group, seen())).not.toHaveProperty('nodegroup');
  });
});

const shownInstance = (number: number, lifecycleState: string) => ({
  instanceId: instanceId(number),
  lifecycleState,
  availabilityZone: 'eu-west-1a',
  healthy: true,
});

const shownNode = (number: number) => ({
  status: 'found',
  name: `node-${number}`,
  providerID: `aws:///eu-west-1a/${instanceId(number)}`,
  createdAt: '2026-11-21T08:00:00Z',
  ready: true,
});
