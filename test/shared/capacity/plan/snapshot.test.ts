import type { PersistentVolume } from 'kubernetes-types/core/v1.d.ts';
import { expect, it } from 'vitest';
import { plannedNodeOf } from '../../../../shared/capacity/plan/node.ts';
import { planNodes } from '../../../../shared/capacity/plan/plan.ts';
import { emptySurroundings } from '../../../../shared/capacity/plan/pod.ts';
import { planGroupOf, snapshotOf } from '../../../../shared/capacity/plan/snapshot.ts';
import { type NodeSettings, planned, rawNode, replicas } from './fixtures.ts';

const empty = { pods: [], daemonSets: [], volumeAttachments: [], surroundings: emptySurroundings };
const nodeOf = (name: string, settings: NodeSettings = {}) =>
  plannedNodeOf({ node: rawNode(name, settings), autoScalingGroupName: 'workers' });
const onNode = (name: string, nodeName: string) =>
  planned(name, { requests: { cpu: '1' }, spec: { nodeName } });
const daemonSet = {
  metadata: { namespace: 'kube-system', name: 'agent' },
  spec: {
    selector: {},
    template: { spec: { containers: [{ name: 'main', resources: { requests: { cpu: '500m' } } }] } },
  },
};
const workers = { autoScalingGroupName: 'workers', mostNewNodes: 5, zones: ['a'], isMixed: false };

it('a snapshot has the pods of each node, without those of nodes that are gone', () => {
  const pods = [onNode('web', 'a1'), onNode('lost', 'gone')];
  const { nodes } = snapshotOf({ ...empty, nodes: [nodeOf('a1'), nodeOf('a2')], pods });
  expect(nodes.map((node) => node.pods.map(({ name }) => name))).toEqual([['web'], []]);
});

it('a snapshot gives DaemonSets their room, except on nodes that give none', () => {
  const nodes = [nodeOf('a1'), nodeOf('a2', { unschedulable: true })];
  const snapshot = snapshotOf({ ...empty, nodes, daemonSets: [daemonSet] });
  expect(snapshot.nodes.map((node) => node.pods.length)).toEqual([1, 0]);
});

it('a snapshot has the volumes that are still attached', () => {
  const volume: PersistentVolume = {
    metadata: { name: 'pv' },
    spec: { csi: { driver: 'ebs', volumeHandle: 'vol-1' } },
  };
  const attachment = (persistentVolumeName: string) => ({
    metadata: {},
    spec: { attacher: 'ebs', nodeName: 'a1', source: { persistentVolumeName } },
  });
  const surroundings = {
    ...emptySurroundings,
    volumes: { ...emptySurroundings.volumes, volumes: new Map([['pv', volume]]) },
  };
  const volumeAttachments = [attachment('pv'), attachment('unknown')];
  const { nodes } = snapshotOf({ ...empty, nodes: [nodeOf('a1')], volumeAttachments, surroundings });
  expect(nodes[0]?.attached).toEqual([{ driver: 'ebs', id: 'vol-1' }]);
});

it('a plan of a whole cluster counts DaemonSets on new nodes: three of 4 CPUs have room for 3 pods of 1 CPU each', () => {
  const snapshot = snapshotOf({
    ...empty,
    nodes: [nodeOf('a1')],
    pods: [onNode('web', 'a1')],
    daemonSets: [daemonSet],
  });
  const group = planGroupOf(workers, snapshot);
  const pods = replicas(8, 'batch', { requests: { cpu: '1' } });
  const plan = planNodes({ nodes: snapshot.nodes, groups: group ? [group] : [], pods });
  expect([plan.fitNow, plan.newNodes, plan.unplaced.size]).toEqual([2, new Map([['workers', 2]]), 0]);
});

it('a group without Ready nodes is what its launch template declares, or unknown', () => {
  const snapshot = snapshotOf({ ...empty, nodes: [nodeOf('a1', { ready: false })] });
  expect(planGroupOf(workers, snapshot)).toBeUndefined();
  const declared = { labels: { pool: 'new' }, taints: [], allocatable: new Map(), attachLimits: new Map() };
  expect(planGroupOf({ ...workers, declared }, snapshot)?.template.node.labelSets[0]['pool']).toBe('new');
});
