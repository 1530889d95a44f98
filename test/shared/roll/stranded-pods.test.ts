import { expect, it } from 'vitest';
import { strandedPodsOf } from '../../../shared/roll/stranded-pods.ts';
import { occupied, planned, replicas } from '../capacity/plan/fixtures.ts';

const on = (nodeName: string, spec: object = {}) => ({ spec: { nodeName, ...spec } });

it('moves all pods of a full node, because a node of the same kind comes (kops#1452)', () => {
  const pods = replicas(4, 'web', { requests: { cpu: '1' }, ...on('node-1') });
  const full = occupied('node-2', {
    pods: replicas(4, 'api', { requests: { cpu: '1' }, ...on('node-2') }),
  });
  expect(strandedPodsOf('node-1', [occupied('node-1', { pods }), full])).toEqual([]);
});

it('names a pod that is tied to the name of its node', () => {
  const tied = planned('db-0', on('node-1', { nodeSelector: { 'kubernetes.io/hostname': 'node-1' } }));
  const nodes = [occupied('node-1', { pods: [planned('web', on('node-1')), tied] }), occupied('node-2')];
  expect(strandedPodsOf('node-1', nodes)).toEqual([
    {
      pod: 'shop/db-0',
      why: expect.stringMatching(/^it would stay Pending: 0\/2 nodes are available: 2 node.*selector$/i),
    },
  ]);
});

it('does not take the cordon of the node, or the taints that pass, to its replacement', () => {
  const [pod] = [planned('web', on('node-1'))];
  const taints = [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }];
  const node = occupied('node-1', { unschedulable: true, ready: false, taints, pods: [pod] });
  expect(strandedPodsOf('node-1', [node])).toEqual([]);
});

it('names a pod that its node would not take again', () => {
  const taints = [{ key: 'team', value: 'data', effect: 'NoSchedule' }];
  const nodes = [occupied('node-1', { taints, pods: [planned('web', on('node-1'))] })];
  expect(strandedPodsOf('node-1', nodes)).toEqual([
    { pod: 'shop/web', why: expect.stringContaining('1 node(s) had untolerated taint') },
  ]);
});

it('moves a pod that needs another one, wherever that is', () => {
  const needs = {
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { labelSelector: { matchLabels: { app: 'db' } }, topologyKey: 'topology.kubernetes.io/zone' },
      ],
    },
  };
  const web = planned('web', on('node-1', { affinity: needs }));
  const db = planned('db', { labels: { app: 'db' }, ...on('node-2') });
  const nodes = [occupied('node-1', { pods: [web] }), occupied('node-2', { pods: [db] })];
  expect(strandedPodsOf('node-1', nodes)).toEqual([]);
  const without = [occupied('node-1', { pods: [web] }), occupied('node-2')];
  expect(strandedPodsOf('node-1', without)).toHaveLength(1);
});

it('finds nothing on a node without pods, and on one that is not there', () => {
  expect(strandedPodsOf('node-1', [occupied('node-1')])).toEqual([]);
  expect(strandedPodsOf('node-9', [occupied('node-1')])).toEqual([]);
});
