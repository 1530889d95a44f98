import { describe, expect, it } from 'vitest';
import { type Plan, planNodes } from '../../../../shared/capacity/plan/plan.ts';
import { reasonsMessage } from '../../../../shared/capacity/plan/reasons.ts';
import { groupOf, occupied, type PodSettings, planned, replicas } from './fixtures.ts';

const countOf = (plan: Plan): Readonly<Record<string, number>> => Object.fromEntries(plan.newNodes);

const half = { requests: { cpu: '2', memory: '1Gi' } };

const apartByHost: PodSettings = {
  labels: { app: 'web' },
  spec: {
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } },
        ],
      },
    },
  },
};

describe('a plan', () => {
  it('needs no node for pods that fit in free room', () => {
    const plan = planNodes({
      nodes: [occupied('a1')],
      groups: [groupOf('workers')],
      pods: replicas(2, 'web', half),
    });
    expect([plan.fitNow, countOf(plan), plan.unplaced.size]).toEqual([2, { workers: 0 }, 0]);
  });

  it('fills free room first, and says how many nodes the rest needs', () => {
    const plan = planNodes({
      nodes: [occupied('a1')],
      groups: [groupOf('workers')],
      pods: replicas(7, 'web', half),
    });
    expect([plan.fitNow, countOf(plan), plan.unplaced.size]).toEqual([2, { workers: 3 }, 0]);
  });

  it('says why a pod fits nowhere, in the words of the scheduler', () => {
    const nodes = [occupied('a1'), occupied('a2', { taints: [{ key: 'gpu', effect: 'NoSchedule' }] })];
    const plan = planNodes({
      nodes,
      groups: [groupOf('workers')],
      pods: replicas(1, 'huge', { requests: { cpu: '5' } }),
    });
    expect([plan.fitNow, countOf(plan), plan.unplaced.size]).toEqual([0, { workers: 0 }, 1]);
    const [refusals] = [...plan.refusals.values()];
    expect(refusals && reasonsMessage(refusals.nodes, refusals.reasons)).toBe(
      '0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s).',
    );
    expect(refusals?.groups).toEqual(
      new Map([['workers', { kind: 'refuses', reasons: ['Insufficient cpu'] }]]),
    );
  });

  it('gives one pod a node where each refuses the others, also those that exist (kubernetes/autoscaler#5019)', () => {
    const pods = replicas(5, 'web', apartByHost);
    const nodes = [occupied('a1', { pods: replicas(1, 'old', apartByHost) }), occupied('a2')];
    expect(countOf(planNodes({ nodes, groups: [groupOf('workers')], pods }))).toEqual({ workers: 4 });
  });

  it('has enough nodes whichever pod comes first', () => {
    // Small pods first go to both nodes, and leave neither with room for the large one.
    const small = replicas(2, 'small', { requests: { cpu: '1' } });
    const large = planned('large', { requests: { cpu: '4' } });
    const groups = [groupOf('workers')];
    expect(countOf(planNodes({ nodes: [], groups, pods: [large, ...small] }))).toEqual({ workers: 3 });
  });

  it('places the pods in the order that leaves the most without a place, and says why', () => {
    // In the given order the large pod finds an empty node. Small pods first leave none.
    const large = planned('large', { requests: { cpu: '4' } });
    const small = replicas(3, 'small', { requests: { cpu: '1' } });
    const nodes = [occupied('a1'), occupied('a2')];
    const plan = planNodes({ nodes, groups: [], pods: [large, ...small] });
    const without = plan.placements.filter(({ nodeName }) => nodeName === undefined);
    expect(without.map(({ pod }) => pod.name)).toEqual(['large']);
    expect([...plan.refusals.keys()]).toEqual([large.shape]);
    expect([plan.fitNow, plan.placementsNow]).toEqual([3, plan.placements]);
  });

  it('uses the first group that takes a pod, and the next one once its bounds are reached', () => {
    const groups = [
      groupOf('spot', { mostNewNodes: 1 }),
      groupOf('on-demand', { mostNewNodes: 1 }),
      groupOf('gpu', { taints: [{ key: 'gpu', effect: 'NoSchedule' }] }),
    ];
    const plan = planNodes({ nodes: [], groups, pods: replicas(5, 'web', half) });
    expect([countOf(plan), plan.unplaced.size]).toEqual([
      { spot: 1, 'on-demand': 1, gpu: 0 },
      expect.any(Number),
    ]);
    expect(plan.placements.filter(({ nodeName }) => nodeName === undefined)).toHaveLength(1);
  });

  it('takes away a node that is not needed, once another group has nodes for other pods', () => {
    const taints = [{ key: 'gpu', effect: 'NoSchedule' }];
    const tolerations = [{ key: 'gpu', operator: 'Exists' }];
    const web = planned('web', { requests: { cpu: '3' }, spec: { tolerations } });
    const train = planned('train', {
      requests: { cpu: '1' },
      spec: { tolerations, nodeSelector: { gpu: 'yes' } },
    });
    const groups = [groupOf('cpu'), groupOf('gpu', { taints, labels: { gpu: 'yes' } })];
    expect(countOf(planNodes({ nodes: [], groups, pods: [web, train] }))).toEqual({ cpu: 0, gpu: 1 });
  });

  it('says that bounds or an unknown zone are in the way, and not the nodes', () => {
    const zoned = planned('db', { spec: { nodeSelector: { 'topology.kubernetes.io/zone': 'a' } } });
    const groups = [
      groupOf('full', { mostNewNodes: 0 }),
      groupOf('several', { zones: ['a', 'b'] }),
      groupOf('b', { zones: ['b'] }),
    ];
    const [refusals] = planNodes({ nodes: [], groups, pods: [zoned] }).refusals.values();
    expect(refusals?.groups).toEqual(
      new Map<string, unknown>([
        ['full', { kind: 'at-bounds' }],
        ['several', { kind: 'no-zone-promised' }],
        ['b', { kind: 'refuses', reasons: ["node(s) didn't match Pod's node affinity/selector"] }],
      ]),
    );
  });

  it('adds no nodes for a host port that the DaemonSet of each node has (kubernetes-sigs/karpenter#2083)', () => {
    const port: PodSettings = {
      spec: { containers: [{ name: 'main', ports: [{ containerPort: 80, hostPort: 8080 }] }] },
    };
    const groups = [groupOf('workers', { pods: [planned('agent', port)] })];
    const plan = planNodes({ nodes: [], groups, pods: [planned('web', port)] });
    expect([countOf(plan), plan.unplaced.size]).toEqual([{ workers: 0 }, 1]);
  });

  it('adds one node for each pod of a host port', () => {
    const port: PodSettings = {
      spec: { containers: [{ name: 'main', ports: [{ containerPort: 80, hostPort: 8080 }] }] },
    };
    const plan = planNodes({ nodes: [], groups: [groupOf('workers')], pods: replicas(3, 'web', port) });
    expect(countOf(plan)).toEqual({ workers: 3 });
  });

  it('counts the pod slots of a node, less those of its DaemonSets (kubernetes/autoscaler#1184)', () => {
    const groups = [groupOf('workers', { allocatable: { pods: '11' }, pods: replicas(3, 'agent') })];
    expect(countOf(planNodes({ nodes: [], groups, pods: replicas(20, 'tiny') }))).toEqual({ workers: 3 });
  });

  it('counts an extended resource that few nodes have (kubernetes/kubernetes#54959)', () => {
    const groups = [groupOf('cpu'), groupOf('gpu', { allocatable: { 'nvidia.com/gpu': '4' } })];
    const pods = replicas(6, 'train', { requests: { 'nvidia.com/gpu': '1', cpu: '100m' } });
    expect(countOf(planNodes({ nodes: [], groups, pods }))).toEqual({ cpu: 0, gpu: 2 });
  });

  it('counts the largest of init containers, which keep their room for good', () => {
    const init = { name: 'init', resources: { requests: { cpu: '3' } } };
    const pods = replicas(2, 'web', { requests: { cpu: '100m' }, spec: { initContainers: [init] } });
    expect(countOf(planNodes({ nodes: [], groups: [groupOf('workers')], pods }))).toEqual({ workers: 2 });
  });

  it('spreads over the zones that groups of one zone have', () => {
    const pods = replicas(6, 'web', {
      labels: { app: 'web' },
      requests: { cpu: '2' },
      spec: {
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            minDomains: 3,
            topologyKey: 'topology.kubernetes.io/zone',
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: { matchLabels: { app: 'web' } },
          },
        ],
      },
    });
    const groups = ['a', 'b', 'c'].map((zone) => groupOf(`workers-${zone}`, { zones: [zone] }));
    expect(countOf(planNodes({ nodes: [], groups, pods }))).toEqual({
      'workers-a': 1,
      'workers-b': 1,
      'workers-c': 1,
    });
  });

  it('is made without pods, nodes or groups', () => {
    expect(planNodes({ nodes: [], groups: [], pods: [] })).toEqual({
      fitNow: 0,
      placementsNow: [],
      newNodes: new Map(),
      placements: [],
      unplaced: new Set(),
      refusals: new Map(),
    });
    const lonely = planNodes({ nodes: [], groups: [], pods: [planned('web')] });
    expect(lonely.unplaced.size).toBe(1);
  });
});
