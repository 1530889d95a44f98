import type { NodeSelectorRequirement } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { createClusterState } from '../../../../shared/capacity/plan/cluster-state.ts';
import { prepareCheck } from '../../../../shared/capacity/plan/filters.ts';
import type { OccupiedNode, PlannedPod } from '../../../../shared/capacity/plan/types.ts';
import { groupOf, type NodeSettings, occupied, type PodSettings, planned, replicas } from './fixtures.ts';

/** Why the node refuses the pod; empty if it does not. */
const refusal = (pod: PlannedPod, node: OccupiedNode): readonly string[] => {
  const cluster = createClusterState([node]);
  const [state] = cluster.nodes;
  return state === undefined ? ['there is no node'] : prepareCheck(pod, cluster)(state);
};

const between = (pod: PodSettings, node: NodeSettings): readonly string[] =>
  refusal(planned('web', pod), occupied('node-1', node));

const affinity = (
  matchExpressions: readonly NodeSelectorRequirement[],
  fields: readonly NodeSelectorRequirement[] = [],
) => ({
  spec: {
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [...matchExpressions], matchFields: [...fields] }],
        },
      },
    },
  },
});

describe('room', () => {
  it('is refused for each resource that is short, under its own name', () => {
    const requests = { cpu: '5', memory: '20Gi', 'example.com/fuse': 1 };
    expect(between({ requests }, {})).toEqual([
      'Insufficient cpu',
      'Insufficient memory',
      'Insufficient example.com/fuse',
    ]);
  });

  it('is used up to the last thousandth of a CPU and the last pod', () => {
    const [first, ...others] = replicas(3, 'old', { requests: { cpu: '1' } });
    const pods = first === undefined ? [] : [first, ...others];
    expect(between({ requests: { cpu: '1' } }, { pods })).toEqual([]);
    expect(between({ requests: { cpu: '1001m' } }, { pods })).toEqual(['Insufficient cpu']);
    expect(between({}, { pods, allocatable: { pods: '3' } })).toEqual(['Too many pods']);
  });

  it('of a request of 0 is not looked for', () => {
    expect(
      between({ requests: { cpu: '0', 'example.com/fuse': '0' } }, { allocatable: { cpu: '0' } }),
    ).toEqual([]);
  });

  it.each([
    ['cordoned', { unschedulable: true }, 'node(s) were unschedulable'],
    ['leaving', { annotations: { 'drover.dev/leaving': '{}' } }, 'node(s) were unschedulable'],
    ['not Ready', { ready: false }, 'node(s) had untolerated taint(s)'],
  ] as const)(
    'is not given by a node that is %s, even to a pod that tolerates everything',
    (_, node, reason) => {
      expect(between({ spec: { tolerations: [{ operator: 'Exists' }] } }, node)).toEqual([reason]);
    },
  );
});

describe('taints', () => {
  const taint = { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' };
  it.each([
    [[], false],
    [[{ operator: 'Exists' }], true],
    [[{ key: 'dedicated', operator: 'Exists' }], true],
    [[{ key: 'dedicated', operator: 'Equal', value: 'gpu', effect: 'NoSchedule' }], true],
    [[{ key: 'dedicated', value: 'gpu' }], true],
    [[{ key: 'dedicated', value: 'cpu' }], false],
    [[{ key: 'dedicated' }], false],
    [[{ key: 'dedicated', operator: 'Exists', effect: 'NoExecute' }], false],
    [[{ key: 'Dedicated', operator: 'Exists' }], false],
    [[{ key: 'dedicated', operator: 'Gt', value: '1' }], false],
    [[{ operator: 'Equal', value: 'gpu' }], false],
  ] as const)('are tolerated by %j: %s', (tolerations, isTolerated) => {
    const found = between({ spec: { tolerations: [...tolerations] } }, { taints: [taint] });
    expect(found).toEqual(isTolerated ? [] : ['node(s) had untolerated taint(s)']);
  });

  it('with PreferNoSchedule keep no pod away', () => {
    expect(between({}, { taints: [{ key: 'old', effect: 'PreferNoSchedule' }] })).toEqual([]);
  });
});

describe('node affinity', () => {
  const labels = { cores: '16', disk: 'ssd' };
  it.each([
    [{ key: 'disk', operator: 'In', values: ['hdd', 'ssd'] }, true],
    [{ key: 'disk', operator: 'In', values: ['hdd'] }, false],
    [{ key: 'disk', operator: 'In', values: [] }, false],
    [{ key: 'disk', operator: 'NotIn', values: ['ssd'] }, false],
    [{ key: 'other', operator: 'NotIn', values: ['ssd'] }, true],
    [{ key: 'disk', operator: 'Exists' }, true],
    [{ key: 'other', operator: 'Exists' }, false],
    [{ key: 'other', operator: 'DoesNotExist' }, true],
    [{ key: 'disk', operator: 'DoesNotExist' }, false],
    [{ key: 'cores', operator: 'Gt', values: ['8'] }, true],
    [{ key: 'cores', operator: 'Gt', values: ['16'] }, false],
    [{ key: 'cores', operator: 'Lt', values: ['17'] }, true],
    [{ key: 'disk', operator: 'Gt', values: ['1'] }, false],
    [{ key: 'cores', operator: 'Gt', values: ['1', '2'] }, false],
    [{ key: 'cores', operator: 'in', values: ['16'] }, false],
  ] as const)(
    '%j matches: %s',
    ({ values, ...rest }: { key: string; operator: string; values?: readonly string[] }, matches) => {
      const requirement = { ...rest, ...(values && { values: [...values] }) };
      const found = between(affinity([requirement]), { labels });
      expect(found).toEqual(matches ? [] : ["node(s) didn't match Pod's node affinity/selector"]);
    },
  );

  it('matches no node with an empty term, and the name as a field', () => {
    expect(between(affinity([]), {})).not.toEqual([]);
    expect(between(affinity([], [{ key: 'metadata.name', operator: 'In', values: ['node-1'] }]), {})).toEqual(
      [],
    );
    expect(
      between(affinity([], [{ key: 'metadata.uid', operator: 'In', values: ['node-1'] }]), {}),
    ).not.toEqual([]);
  });

  it('that names nodes in each of its terms refuses others in the words of the scheduler', () => {
    const field = (...values: string[]): NodeSelectorRequirement => ({
      key: 'metadata.name',
      operator: 'In',
      values,
    });
    expect(between(affinity([], [field('node-2')]), { unschedulable: true })).toEqual([
      "node(s) didn't satisfy plugin(s) [NodeAffinity]",
    ]);
    expect(between(affinity([], [field('node-1')]), {})).toEqual([]);
    expect(between(affinity([], [field('node-1'), field('node-2')]), {})).toEqual([
      "node(s) didn't satisfy plugin(s) [NodeAffinity]",
    ]);
    expect(between(affinity([], [{ ...field('node-1'), operator: 'NotIn' }]), {})).toEqual([
      "node(s) didn't match Pod's node affinity/selector",
    ]);
  });

  it('holds for a new node only if it holds in each zone of its group (kubernetes/autoscaler#1681)', () => {
    const { template } = groupOf('workers', { zones: ['a', 'b'] });
    const zone = (operator: string, ...values: string[]): PlannedPod =>
      planned(
        'web',
        affinity([{ key: 'topology.kubernetes.io/zone', operator, ...(values.length > 0 && { values }) }]),
      );
    expect(refusal(zone('In', 'a', 'b', 'c'), template)).toEqual([]);
    expect(refusal(zone('In', 'a'), template)).not.toEqual([]);
    expect(refusal(zone('NotIn', 'a'), template)).not.toEqual([]);
    expect(refusal(zone('NotIn', 'c'), template)).toEqual([]);
    expect(refusal(zone('Exists'), template)).toEqual([]);
  });

  it('and the nodeSelector must both match', () => {
    expect(between({ spec: { nodeSelector: { disk: 'ssd' } } }, { labels })).toEqual([]);
    expect(between({ spec: { nodeSelector: { disk: 'hdd' } } }, { labels })).not.toEqual([]);
  });
});

describe('host ports', () => {
  const withPort = (port: object, spec: object = {}): PodSettings => ({
    spec: { containers: [{ name: 'main', ports: [{ containerPort: 80, ...port }] }], ...spec },
  });
  it.each([
    [{ hostPort: 80 }, { hostPort: 80 }, true],
    [{ hostPort: 80 }, { hostPort: 81 }, false],
    [{ hostPort: 80, protocol: 'UDP' }, { hostPort: 80 }, false],
    [{ hostPort: 80, hostIP: '10.0.0.1' }, { hostPort: 80, hostIP: '10.0.0.2' }, false],
    [{ hostPort: 80, hostIP: '10.0.0.1' }, { hostPort: 80, hostIP: '0.0.0.0' }, true],
    [{ hostPort: 80, hostIP: '10.0.0.1' }, { hostPort: 80 }, true],
    [{}, {}, false],
  ] as const)('%j and %j on one node collide: %s', (one, other, collides) => {
    const pods = [planned('old', withPort(one))];
    const reason = "node(s) didn't have free ports for the requested pod ports";
    expect(between(withPort(other), { pods })).toEqual(collides ? [reason] : []);
  });

  it('are the ports of the containers with hostNetwork', () => {
    const pods = [planned('old', withPort({}, { hostNetwork: true }))];
    expect(between(withPort({ hostPort: 80 }), { pods })).not.toEqual([]);
  });
});
