import type { DaemonSet } from 'kubernetes-types/apps/v1.d.ts';
import type { PodSpec } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { daemonPodOf, runsOn, withMissingDaemonPods } from '../../../../shared/capacity/plan/daemon-pods.ts';
import { newNodeTemplate, shapeOfNodes } from '../../../../shared/capacity/plan/new-node.ts';
import { emptySurroundings, plannedPodOf } from '../../../../shared/capacity/plan/pod.ts';
import type { PlannedPod } from '../../../../shared/capacity/plan/types.ts';
import { type NodeSettings, occupied, planned, podOf } from './fixtures.ts';

const zoneKey = 'topology.kubernetes.io/zone';
const typeKey = 'node.kubernetes.io/instance-type';

const shapeOf = (nodes: readonly NodeSettings[], isMixed = false) =>
  shapeOfNodes(
    nodes.map((settings, index) => occupied(`node-${index}`, settings).node),
    isMixed,
  );

describe('what the nodes of a group have in common', () => {
  it('are the labels and taints that each of them has', () => {
    const taint = { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' };
    const shape = shapeOf([
      { labels: { pool: 'gpu', rack: '1' }, taints: [taint, { key: 'odd', effect: 'NoExecute' }] },
      { labels: { pool: 'gpu', rack: '2' }, taints: [taint] },
    ]);
    expect([shape?.labels, shape?.taints]).toEqual([{ pool: 'gpu' }, [taint]]);
  });

  it.each([
    'node.kubernetes.io/not-ready',
    'node.cloudprovider.kubernetes.io/uninitialized',
    'startup-taint.cluster-autoscaler.kubernetes.io/agent',
    'ToBeDeletedByClusterAutoscaler',
    'node.cilium.io/agent-not-ready',
  ])('is not the passing taint %s, even if each of them has it (kubernetes/autoscaler#2758)', (key) => {
    expect(shapeOf([{ taints: [{ key, effect: 'NoSchedule' }] }])?.taints).toEqual([]);
  });

  it('is the least of each resource', () => {
    const shape = shapeOf([
      { allocatable: { cpu: '3920m', memory: '14Gi' } },
      { allocatable: { memory: '13Gi' } },
    ]);
    expect([shape?.allocatable.get('cpu'), shape?.allocatable.get('memory')]).toEqual([3920, 13 * 1024 ** 3]);
  });

  it('is the number of GPUs of the nodes whose plugin has registered (kubernetes/autoscaler#451)', () => {
    const gpus = (count: number, type: string): NodeSettings => ({
      labels: { [typeKey]: type },
      allocatable: { 'nvidia.com/gpu': count },
    });
    const counts = (...nodes: readonly NodeSettings[]) => shapeOf(nodes)?.allocatable.get('nvidia.com/gpu');
    expect(counts(gpus(4, 'g5'), gpus(0, 'g5'))).toBe(4);
    expect(counts(gpus(4, 'g5'), { labels: { [typeKey]: 'g5' } })).toBe(4);
    expect(counts(gpus(4, 'g5'), gpus(0, 'm5'))).toBe(0);
  });

  it('is the least attach limit of a driver', () => {
    const shape = shapeOf([{ attachLimits: { ebs: 25 } }, { attachLimits: { ebs: 24 } }, {}]);
    expect(shape?.attachLimits).toEqual(new Map([['ebs', 24]]));
  });

  it('is not the instance type of a group with several', () => {
    expect(shapeOf([{ labels: { [typeKey]: 'm5.large' } }])?.labels).toEqual({ [typeKey]: 'm5.large' });
    expect(shapeOf([{ labels: { [typeKey]: 'm5.large' } }], true)?.labels).toEqual({});
  });

  it('is unknown without a node that gives room (kubernetes/autoscaler#7841)', () => {
    expect(shapeOf([])).toBeUndefined();
    expect(shapeOf([{ unschedulable: true }, { ready: false }])).toBeUndefined();
  });
});

const daemonSet = (name: string, spec: Partial<PodSpec> = {}): DaemonSet => ({
  metadata: { namespace: 'kube-system', name },
  spec: {
    selector: {},
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'main', resources: { requests: { cpu: '100m' } } }], ...spec },
    },
  },
});

const daemonPod = (
  name: string,
  spec: Partial<PodSpec> = {},
  running: readonly PlannedPod[] = [],
): PlannedPod => daemonPodOf(daemonSet(name, spec), running, emptySurroundings);

const running = (daemonSetName: string, cpu: string): PlannedPod => {
  const pod = podOf(`${daemonSetName}-x`, { namespace: 'kube-system', requests: { cpu } });
  const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: daemonSetName, uid: '1', controller: true };
  return plannedPodOf({ ...pod, metadata: { ...pod.metadata, ownerReferences: [owner] } }, emptySurroundings);
};

describe('the pod of a DaemonSet', () => {
  it('requests what the pods that run request, if that is more (karpenter-provider-aws#3199)', () => {
    expect(daemonPod('agent').requests.get('cpu')).toBe(100);
    expect(daemonPod('agent', {}, [running('agent', '1'), running('other', '3')]).requests.get('cpu')).toBe(
      1000,
    );
    expect(daemonPod('agent', {}, [running('agent', '50m')]).requests.get('cpu')).toBe(100);
  });

  it('tolerates what the controller lets it tolerate (kubernetes-sigs/karpenter#1749)', () => {
    const under = (key: string, effect = 'NoSchedule') => occupied('a1', { taints: [{ key, effect }] }).node;
    expect(runsOn(daemonPod('agent'), under('node.kubernetes.io/memory-pressure'))).toBe(true);
    expect(runsOn(daemonPod('agent'), under('node.kubernetes.io/network-unavailable'))).toBe(false);
    expect(
      runsOn(daemonPod('agent', { hostNetwork: true }), under('node.kubernetes.io/network-unavailable')),
    ).toBe(true);
    expect(runsOn(daemonPod('agent'), under('dedicated'))).toBe(false);
    expect(runsOn(daemonPod('agent', { tolerations: [{ operator: 'Exists' }] }), under('dedicated'))).toBe(
      true,
    );
  });

  it('is added to a node that has none yet (kubernetes/autoscaler#6031)', () => {
    const names = (...pods: readonly PlannedPod[]) =>
      withMissingDaemonPods(occupied('a1', { pods }), [
        daemonPod('agent'),
        daemonPod('gpu', { nodeSelector: { gpu: '' } }),
      ]).pods.map(({ name }) => name);
    expect(names()).toEqual(['agent']);
    expect(names(running('agent', '1'))).toEqual(['agent-x']);
    expect(names({ ...running('agent', '1'), isTerminating: true })).toEqual(['agent-x', 'agent']);
  });
});

describe('a new node of a group', () => {
  const shape = {
    labels: { pool: 'web' },
    taints: [],
    allocatable: new Map([['cpu', 4000]]),
    attachLimits: new Map(),
  };
  const facts = { autoScalingGroupName: 'workers', shape, daemonPods: [], nodes: [] };

  it('has the labels of one zone for each zone of the group (kubernetes/autoscaler#3845)', () => {
    const { node } = newNodeTemplate({ ...facts, zones: ['a', 'b'] });
    expect(node.labelSets).toEqual(
      ['a', 'b'].map((zone) => ({ pool: 'web', [zoneKey]: zone, 'topology.ebs.csi.aws.com/zone': zone })),
    );
    expect(newNodeTemplate({ ...facts, zones: [] }).node.labelSets).toEqual([{ pool: 'web' }]);
  });

  it('has the pods of the DaemonSets that match it, and the static pods of its neighbours', () => {
    const proxy = podOf('kube-proxy-a1');
    const mirror = plannedPodOf(
      { ...proxy, metadata: { ...proxy.metadata, annotations: { 'kubernetes.io/config.mirror': '' } } },
      emptySurroundings,
    );
    const nodes = [occupied('a1', { pods: [planned('web'), mirror] }), occupied('a2')];
    const daemonPods = [daemonPod('agent'), daemonPod('other', { nodeSelector: { pool: 'db' } })];
    const { pods } = newNodeTemplate({ ...facts, zones: ['a'], daemonPods, nodes });
    expect(pods.map(({ name }) => name)).toEqual(['kube-proxy-a1', 'agent']);
  });
});
