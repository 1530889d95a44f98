import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { nodeReadiness, withoutReadyPod } from '../../../shared/joining/readiness.ts';
import { leavingAnnotation } from '../../../shared/nodes/node-keys.ts';
import { joinedNode, joiningId, launchedAt } from '../../support/joining-context.ts';

const now = launchedAt + 60_000;

describe('the Node of an instance', () => {
  it('is ready once its kubelet reports it', () => {
    expect(nodeReadiness(joinedNode(), { now, launchedAt }).kind).toBe('ready');
    expect(nodeReadiness(joinedNode({ ready: 'Unknown' }), { now, launchedAt }).kind).toBe('waiting');
    expect(nodeReadiness({ metadata: { name: 'new' } }, { now, launchedAt }).kind).toBe('waiting');
  });

  it('is not ready by a report from before the instance was stopped and started', () => {
    const old = joinedNode({ at: launchedAt - 11_000 });
    expect(nodeReadiness(old, { now, launchedAt })).toMatchObject({
      kind: 'waiting',
      reason: expect.stringContaining('was last Ready before its instance was started'),
    });
  });

  it('is ready if the clock of its instance is up to ten seconds slow', () => {
    for (const milliseconds of [9000, 10_000])
      expect(nodeReadiness(joinedNode({ at: launchedAt - milliseconds }), { now, launchedAt }).kind).toBe(
        'ready',
      );
  });

  it('is ready even if it is older than the start, if its kubelet has reported since', () => {
    const { metadata, ...rest } = joinedNode();
    const kept = { ...rest, metadata: { ...metadata, creationTimestamp: '2026-01-01T00:00:00Z' } };
    expect(nodeReadiness(kept, { now, launchedAt }).kind).toBe('ready');
  });

  it('is ready if EC2 does not report when the instance was started', () => {
    expect(nodeReadiness(joinedNode(), { now }).kind).toBe('ready');
  });

  it('is not ready, without a message if its kubelet gives none', () => {
    const node = { metadata: { name: 'a' }, status: { conditions: [{ type: 'Ready', status: 'False' }] } };
    expect(nodeReadiness(node, { now, launchedAt })).toMatchObject({ reason: 'node a is not Ready' });
  });

  it('is not ready if it is unknown when it reported, and EC2 reports when the instance was started', () => {
    const node = { metadata: { name: 'a' }, status: { conditions: [{ type: 'Ready', status: 'True' }] } };
    expect(nodeReadiness(node, { now, launchedAt }).kind).toBe('waiting');
  });

  it('is not ready while it is being deleted', () => {
    const { metadata, ...rest } = joinedNode();
    const deleted = { ...rest, metadata: { ...metadata, deletionTimestamp: '2026-11-21T07:00:30Z' } };
    expect(nodeReadiness(deleted, { now, launchedAt }).kind).toBe('waiting');
  });

  it('is not ready before it has booted from a new root volume', () => {
    const returning = (bootID: string): Node => {
      const { metadata, spec, status } = joinedNode();
      const mark = {
        cause: 'terminating',
        instanceId: joiningId,
        since: new Date(launchedAt).toISOString(),
        renewedAt: new Date(launchedAt).toISOString(),
        before: { unschedulable: false, excludedFromLoadBalancers: false },
        waitingFor: [],
        bootBefore: 'first',
      };
      return {
        ...(spec && { spec }),
        metadata: { ...metadata, annotations: { [leavingAnnotation]: JSON.stringify(mark) } },
        status: {
          ...status,
          nodeInfo: {
            architecture: 'amd64',
            bootID,
            containerRuntimeVersion: '',
            kernelVersion: '',
            kubeProxyVersion: '',
            kubeletVersion: '',
            machineID: '',
            operatingSystem: 'linux',
            osImage: '',
            systemUUID: '',
          },
        },
      };
    };
    expect(nodeReadiness(returning('first'), { now, launchedAt }).kind).toBe('waiting');
    expect(nodeReadiness(returning('second'), { now, launchedAt }).kind).toBe('ready');
  });
});

const podOf = (
  name: string,
  { status = 'True', kind = 'DaemonSet', deleted = false, controller = true } = {},
): Pod => ({
  metadata: {
    namespace: 'kube-system',
    name: `${name}-x`,
    ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid: 'u', controller }],
    ...(deleted && { deletionTimestamp: '2026-11-21T07:00:00Z' }),
  },
  status: { conditions: [{ type: 'Ready', status }] },
});

const cni = ['kube-system/aws-node'];

it('a DaemonSet has its pod on a node once a pod that it controls is Ready', () => {
  expect(withoutReadyPod(cni, [podOf('aws-node')])).toEqual([]);
  expect(withoutReadyPod([...cni, 'kube-system/csi'], [podOf('aws-node')])).toEqual(['kube-system/csi']);
});

it('the other conditions of a pod do not matter', () => {
  const pod = podOf('aws-node');
  const withOther = (status: string, ready: string): Pod => ({
    ...pod,
    status: {
      conditions: [
        { type: 'PodScheduled', status },
        { type: 'Ready', status: ready },
      ],
    },
  });
  expect(withoutReadyPod(cni, [withOther('False', 'True')])).toEqual([]);
  expect(withoutReadyPod(cni, [withOther('True', 'False')])).toEqual(cni);
});

it.each([
  ['that is not Ready', podOf('aws-node', { status: 'False' })],
  ['that is being deleted', podOf('aws-node', { deleted: true })],
  ['of a ReplicaSet of that name', podOf('aws-node', { kind: 'ReplicaSet' })],
  ['that it owns and does not control', podOf('aws-node', { controller: false })],
  [
    'of another namespace',
    { ...podOf('aws-node'), metadata: { ...podOf('aws-node').metadata, namespace: 'mine' } },
  ],
  ['without conditions', { metadata: podOf('aws-node').metadata ?? {} }],
  ['with an empty status', { ...podOf('aws-node'), status: {} }],
  ['without an owner', { ...podOf('aws-node'), metadata: { namespace: 'kube-system', name: 'aws-node' } }],
])('a pod %s does not count', (_, pod) => {
  expect(withoutReadyPod(cni, [pod])).toEqual(cni);
});
