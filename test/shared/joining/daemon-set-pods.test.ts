import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { expect, it } from 'vitest';
import { withoutReadyPod } from '../../../shared/joining/daemon-set-pods.ts';

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

it('a DaemonSet has its pod on a node once one that it controls is Ready', () => {
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
