import type { PodAffinityTerm, TopologySpreadConstraint } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { createClusterState } from '../../../../shared/capacity/plan/cluster-state.ts';
import { prepareCheck } from '../../../../shared/capacity/plan/filters.ts';
import { emptySurroundings, type PodSurroundings } from '../../../../shared/capacity/plan/pod.ts';
import type { OccupiedNode, PlannedPod } from '../../../../shared/capacity/plan/types.ts';
import { groupOf, type NodeSettings, occupied, type PodSettings, planned, replicas } from './fixtures.ts';

/** The reason of each node, in their order; `-` for a node that takes the pod. */
const reasonsOf = (pod: PlannedPod, nodes: readonly OccupiedNode[]): readonly string[] => {
  const cluster = createClusterState(nodes);
  const check = prepareCheck(pod, cluster);
  return cluster.nodes.map((state) => check(state).join(', ') || '-');
};

const zoneKey = 'topology.kubernetes.io/zone';
const hostKey = 'kubernetes.io/hostname';
const inZone = (zone: string, settings: NodeSettings = {}): NodeSettings => ({
  ...settings,
  labels: { [zoneKey]: zone, ...settings.labels },
});

const web = { app: 'web' };
const selector = { matchLabels: web };

describe('topology spread with DoNotSchedule', () => {
  const spread = (settings: Partial<TopologySpreadConstraint> = {}, pod: PodSettings = {}): PlannedPod =>
    planned('web', {
      labels: web,
      ...pod,
      spec: {
        ...pod.spec,
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: zoneKey,
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: selector,
            ...settings,
          },
        ],
      },
    });
  const full = "node(s) didn't match pod topology spread constraints";
  const two = replicas(2, 'web', { labels: web });
  const one = replicas(1, 'web', { labels: web });

  it('refuses the domain that would have too many more than the emptiest', () => {
    const nodes = [occupied('a1', inZone('a', { pods: two })), occupied('b1', inZone('b', { pods: one }))];
    expect(reasonsOf(spread(), nodes)).toEqual([full, '-']);
    expect(reasonsOf(spread({ maxSkew: 2 }), nodes)).toEqual(['-', '-']);
  });

  it('refuses a node without the label, whose pods do not count', () => {
    const bare = occupied('bare', { pods: two });
    const unlabelled = { ...bare, node: { ...bare.node, labelSets: [{}] as const } };
    expect(reasonsOf(spread(), [unlabelled, occupied('b1', inZone('b', { pods: one }))])).toEqual([
      `${full} (missing required label)`,
      '-',
    ]);
  });

  it('counts from 0 as long as there are fewer domains than minDomains', () => {
    const nodes = [occupied('a1', inZone('a', { pods: one })), occupied('b1', inZone('b', { pods: one }))];
    expect(reasonsOf(spread({ minDomains: 2 }), nodes)).toEqual(['-', '-']);
    expect(reasonsOf(spread({ minDomains: 3 }), nodes)).toEqual([full, full]);
  });

  it('leaves out nodes that the node affinity excludes, unless the policy is Ignore (kubernetes-sigs/karpenter#2623)', () => {
    const nodes = [
      occupied('a1', inZone('a', { pods: one, labels: { pool: 'web' } })),
      occupied('b1', inZone('b')),
    ];
    const pinned = { spec: { nodeSelector: { pool: 'web' } } };
    expect(reasonsOf(spread({}, pinned), nodes)[0]).toBe('-');
    expect(reasonsOf(spread({ nodeAffinityPolicy: 'Ignore' }, pinned), nodes)[0]).toBe(full);
  });

  it('counts tainted nodes, unless the policy is Honor', () => {
    const taints = [{ key: 'gpu', effect: 'NoSchedule' }];
    const nodes = [occupied('a1', inZone('a', { pods: one })), occupied('b1', inZone('b', { taints }))];
    expect(reasonsOf(spread(), nodes)[0]).toBe(full);
    expect(reasonsOf(spread({ nodeTaintsPolicy: 'Honor' }), nodes)[0]).toBe('-');
  });

  it('counts a cordoned node as a domain although it gives no room', () => {
    const nodes = [
      occupied('a1', inZone('a', { pods: one })),
      occupied('b1', inZone('b', { unschedulable: true })),
    ];
    expect(reasonsOf(spread(), nodes)).toEqual([full, 'node(s) were unschedulable']);
  });

  it('counts only pods of the same revision with matchLabelKeys, and only keys that the pod has', () => {
    const old = replicas(2, 'old', { labels: { ...web, hash: '1' } });
    const nodes = [occupied('a1', inZone('a', { pods: old })), occupied('b1', inZone('b'))];
    const next = { labels: { ...web, hash: '2' } };
    expect(reasonsOf(spread({ matchLabelKeys: ['hash', 'other'] }, next), nodes)).toEqual(['-', '-']);
    expect(reasonsOf(spread({}, next), nodes)).toEqual([full, '-']);
  });

  it('counts no pods of other namespaces, no terminating ones, and itself only if it is selected', () => {
    const other = replicas(2, 'other', { labels: web, namespace: 'bank' });
    const leaving = two.map((pod) => ({ ...pod, isTerminating: true }));
    const nodes = [
      occupied('a1', inZone('a', { pods: [...other, ...leaving] })),
      occupied('b1', inZone('b')),
    ];
    expect(reasonsOf(spread(), nodes)).toEqual(['-', '-']);
    const busy = [occupied('a1', inZone('a', { pods: one })), occupied('b1', inZone('b'))];
    expect(reasonsOf(spread({}, { labels: { app: 'db' } }), busy)).toEqual(['-', '-']);
  });

  it('counts a node from when it is added until it is taken back', () => {
    const nodes = [occupied('a1', inZone('a', { pods: two })), occupied('b1', inZone('b', { pods: one }))];
    const cluster = createClusterState(nodes);
    const verdicts = () => cluster.nodes.map((state) => prepareCheck(spread(), cluster)(state)[0] ?? '-');
    expect(verdicts()).toEqual([full, '-']);
    cluster.addNode(occupied('c1', inZone('c')));
    expect(verdicts()).toEqual([full, full, '-']);
    cluster.removeNewestNode();
    expect(verdicts()).toEqual([full, '-']);
    cluster.addNode(occupied('b2', inZone('b')));
    expect(verdicts()).toEqual([full, '-', '-']);
  });

  it('counts no pods with an empty selector, as the scheduler does', () => {
    const nodes = [occupied('a1', inZone('a', { pods: two })), occupied('b1', inZone('b'))];
    expect(reasonsOf(spread({ labelSelector: {} }), nodes)).toEqual(['-', '-']);
  });

  it('is a preference with ScheduleAnyway, and refuses no node', () => {
    const nodes = [occupied('a1', inZone('a', { pods: two })), occupied('b1', inZone('b'))];
    expect(reasonsOf(spread({ whenUnsatisfiable: 'ScheduleAnyway' }), nodes)).toEqual(['-', '-']);
  });

  it('promises no place on a new node of several zones', () => {
    expect(reasonsOf(spread(), [groupOf('workers', { zones: ['a', 'b'] }).template])).toEqual([
      `${full} (missing required label)`,
    ]);
    expect(reasonsOf(spread(), [groupOf('workers', { zones: ['a'] }).template])).toEqual(['-']);
  });
});

describe('pod affinity', () => {
  const term = (settings: Partial<PodAffinityTerm> = {}): PodAffinityTerm => ({
    topologyKey: zoneKey,
    labelSelector: selector,
    ...settings,
  });
  const near = (
    terms: readonly PodAffinityTerm[],
    pod: PodSettings = {},
    known: PodSurroundings = emptySurroundings,
  ) =>
    planned(
      'cache',
      {
        ...pod,
        spec: { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [...terms] } } },
      },
      known,
    );
  const apart = (terms: readonly PodAffinityTerm[], pod: PodSettings = {}) =>
    planned('cache', {
      ...pod,
      spec: { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [...terms] } } },
    });
  const one = replicas(1, 'web', { labels: web });
  const nodes = [
    occupied('a1', inZone('a', { pods: one })),
    occupied('a2', inZone('a')),
    occupied('b1', inZone('b')),
  ];
  const alone = "node(s) didn't match pod affinity rules";
  const close = "node(s) didn't match pod anti-affinity rules";
  const unwanted = "node(s) didn't satisfy existing pods anti-affinity rules";

  it('wants a node in the topology of such a pod', () => {
    expect(reasonsOf(near([term()]), nodes)).toEqual(['-', '-', alone]);
    expect(reasonsOf(near([term({ topologyKey: hostKey })]), nodes)).toEqual(['-', alone, alone]);
    expect(reasonsOf(near([term({ labelSelector: { matchLabels: { app: 'db' } } })]), nodes)).toEqual([
      alone,
      alone,
      alone,
    ]);
  });

  it('lets the first pod of its own kind go anywhere, but the second only to it', () => {
    const cache = { labels: { app: 'cache' } };
    const own = term({ labelSelector: { matchLabels: cache.labels } });
    expect(reasonsOf(near([own], cache), nodes)).toEqual(['-', '-', '-']);
    const next = [...nodes, occupied('c1', inZone('c', { pods: [near([own], cache)] }))];
    expect(reasonsOf(near([own], cache), next)).toEqual([alone, alone, alone, '-']);
  });

  it('counts a pod only if all terms select it', () => {
    const both = [term(), term({ labelSelector: { matchLabels: { tier: 'front' } } })];
    expect(reasonsOf(near(both), nodes)).toEqual([alone, alone, alone]);
  });

  it('looks in its own namespace, in those named, and in those selected', () => {
    const namespaces = new Map([['shop', { team: 'one' }]]);
    const known = { ...emptySurroundings, namespaces };
    const bank = { namespace: 'bank' };
    expect(reasonsOf(near([term()], bank), nodes)[0]).toBe(alone);
    expect(reasonsOf(near([term({ namespaces: ['shop'] })], bank), nodes)[0]).toBe('-');
    expect(reasonsOf(near([term({ namespaceSelector: {} })], bank), nodes)[0]).toBe('-');
    const team = (value: string) => [term({ namespaceSelector: { matchLabels: { team: value } } })];
    expect(reasonsOf(near(team('one'), bank, known), nodes)[0]).toBe('-');
    expect(reasonsOf(near(team('two'), bank, known), nodes)[0]).toBe(alone);
  });

  it('selects nothing without a selector, and everything with an empty one', () => {
    expect(reasonsOf(near([{ topologyKey: zoneKey }]), nodes)[0]).toBe(alone);
    expect(reasonsOf(near([term({ labelSelector: {} })]), nodes)[0]).toBe('-');
  });

  it('takes matchLabelKeys and mismatchLabelKeys from the pod', () => {
    const front = { labels: { tier: 'front' } };
    expect(reasonsOf(near([term({ matchLabelKeys: ['tier'] })], front), nodes)[0]).toBe(alone);
    expect(reasonsOf(near([term({ mismatchLabelKeys: ['tier'] })], front), nodes)[0]).toBe('-');
  });

  it('keeps a pod apart from such pods', () => {
    expect(reasonsOf(apart([term({ topologyKey: hostKey })]), nodes)).toEqual([close, '-', '-']);
    expect(reasonsOf(apart([term()]), nodes)).toEqual([close, close, '-']);
  });

  it('keeps a pod apart from pods that refuse it, though it refuses none itself (kubernetes-sigs/descheduler#1279)', () => {
    const refusing = [occupied('a1', inZone('a', { pods: [apart([term()])] })), occupied('b1', inZone('b'))];
    expect(reasonsOf(planned('web', { labels: web }), refusing)).toEqual([unwanted, '-']);
    expect(reasonsOf(planned('db', { labels: { app: 'db' } }), refusing)).toEqual(['-', '-']);
  });

  it('takes a new node of several zones for a node of each of them', () => {
    const { template } = groupOf('workers', { zones: ['a', 'c'] });
    expect(reasonsOf(apart([term()]), [...nodes, template])).toEqual([close, close, '-', close]);
    const elsewhere = groupOf('workers', { zones: ['c', 'd'] }).template;
    expect(reasonsOf(apart([term()]), [...nodes, elsewhere])).toEqual([close, close, '-', '-']);
    expect(reasonsOf(near([term()]), [...nodes, template])).toEqual(['-', '-', alone, alone]);
  });
});
