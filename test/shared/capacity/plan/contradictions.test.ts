import { describe, expect, it } from 'vitest';
import { sizeFor } from '../../../../shared/capacity/plan/group-size.ts';
import type { PlanGroup } from '../../../../shared/capacity/plan/new-node.ts';
import { type Plan, planNodes } from '../../../../shared/capacity/plan/plan.ts';
import type { OccupiedNode, PlannedPod } from '../../../../shared/capacity/plan/types.ts';
import { groupOf, occupied, planned, replicas } from './fixtures.ts';

const half = { requests: { cpu: '2', memory: '1Gi' } };

const withAllocatable = (node: OccupiedNode, cpu: number): OccupiedNode => ({
  ...node,
  node: { ...node.node, allocatable: new Map([...node.node.allocatable, ['cpu', cpu]]) },
});

const planOf = (
  nodes: readonly OccupiedNode[],
  groups: readonly PlanGroup[],
  pods: readonly PlannedPod[] = replicas(3, 'web', half),
): Plan => planNodes({ nodes, groups, pods });

const summary = ({ fitNow, newNodes, unplaced }: Plan): readonly number[] => [
  fitNow,
  [...newNodes.values()].reduce((sum, count) => sum + count, 0),
  unplaced.size,
];

describe('a plan from input that contradicts itself', () => {
  it.each([
    ['0', 0],
    ['negative', -4000],
    ['not a number', Number.NaN],
  ])('promises no place on a node whose CPU is %s', (_, cpu) => {
    const node = withAllocatable(occupied('a1'), cpu);
    expect(summary(planOf([node], []))).toEqual([0, 0, 3]);
    const group = groupOf('workers');
    expect(summary(planOf([], [{ ...group, template: withAllocatable(group.template, cpu) }]))).toEqual([
      0, 0, 3,
    ]);
  });

  it('adds no node to a group with negative bounds, or bounds that are not a number', () => {
    for (const mostNewNodes of [-3, Number.NaN])
      expect(summary(planOf([], [groupOf('workers', { mostNewNodes })]))).toEqual([0, 0, 3]);
  });

  it('gives no place to a pod that is larger than any node, and places the others', () => {
    const pods = [planned('huge', { requests: { cpu: '9999999' } }), ...replicas(2, 'web', half)];
    expect(summary(planOf([], [groupOf('workers')], pods))).toEqual([0, 1, 1]);
  });

  it('takes a group whose template has no labels', () => {
    const group = groupOf('workers');
    const template = { ...group.template, node: { ...group.template.node, labelSets: [{}] as const } };
    const spread = planned('zoned', {
      spec: { nodeSelector: { 'topology.kubernetes.io/zone': 'a' } },
    });
    const pods = [...replicas(2, 'web', half), spread];
    expect(summary(planOf([], [{ ...group, template }], pods))).toEqual([0, 1, 1]);
  });

  it('gives room on a node that is already fuller than it may be to no pod, not even a small one', () => {
    const node = occupied('a1', { pods: replicas(9, 'old', half) });
    const pods = [planned('tiny', { requests: { cpu: '1m' } })];
    expect(summary(planOf([node], [], pods))).toEqual([0, 0, 1]);
  });

  it('counts two nodes of one name as two', () => {
    expect(summary(planOf([occupied('a1'), occupied('a1')], []))).toEqual([3, 0, 0]);
  });

  it('gives no place to a pod for a node that does not exist', () => {
    const pods = [planned('web', { spec: { nodeName: 'gone' } })];
    expect(summary(planOf([occupied('a1')], [groupOf('workers')], pods))).toEqual([0, 0, 1]);
  });

  it('gives a size within MaxSize, whatever the numbers are', () => {
    const request = {
      nodes: [occupied('a1', { autoScalingGroupName: 'workers' })],
      autoScalingGroupName: 'workers',
      template: groupOf('workers').template,
      joining: new Set(['a1', 'unknown']),
      open: new Map([['sale', replicas(5, 'web', half)]]),
    };
    expect(sizeFor({ ...request, maxSize: 2, withoutRoom: 9 })).toMatchObject({
      size: 2,
      isMet: false,
      isAtMaxSize: true,
    });
    expect(sizeFor({ ...request, maxSize: 0, withoutRoom: 0 }).size).toBe(0);
  });
});
