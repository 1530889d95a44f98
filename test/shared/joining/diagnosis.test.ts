import { expect, test } from 'vitest';
import { diagnose } from '../../../shared/joining/diagnosis.ts';
import { joinedNode } from '../../support/joining-context.ts';

test('an instance that has asked for no certificate is told from the boot on', () => {
  expect(
    diagnose({
      ec2: { state: 'running' },
      reason: 'it has no node yet; it has made no certificate request',
      node: undefined,
      console: { userData: 'failed', lastLines: [] },
    }),
  ).toEqual([
    'EC2 calls the instance running',
    'cloud-init says that its user data failed: the last lines of the console may say why',
    'it has no node yet; it has made no certificate request',
  ]);
});

test('a Node that is not Ready is told with each bad condition and each taint', () => {
  const node = joinedNode({ ready: 'False' });
  const pressure = {
    type: 'DiskPressure',
    status: 'True',
    reason: 'KubeletHasDiskPressure',
    message: 'full',
  };
  const terse = { type: 'PIDPressure', status: 'True', reason: 'KubeletHasPIDPressure' };
  const fine = { type: 'MemoryPressure', status: 'False' };
  expect(
    diagnose({
      ec2: { state: 'running' },
      reason: 'node a is not Ready',
      node: {
        ...node,
        spec: { ...node.spec, taints: [{ key: 'node.cilium.io/agent-not-ready', effect: 'NoExecute' }] },
        status: { conditions: [...(node.status?.conditions ?? []), terse, pressure, fine] },
      },
      console: { userData: 'finished', lastLines: [] },
    }).slice(2),
  ).toEqual([
    'node a is not Ready',
    'its condition Ready is False:  container runtime network not ready',
    'its condition PIDPressure is True: KubeletHasPIDPressure',
    'its condition DiskPressure is True: KubeletHasDiskPressure full',
    'it has the taint node.cilium.io/agent-not-ready:NoExecute',
  ]);
});

test('what cannot be read is said, and hides nothing else', () => {
  expect(
    diagnose({ ec2: undefined, reason: 'it has no node yet', node: undefined, console: undefined }),
  ).toEqual(['EC2 does not know the instance', 'its console could not be read', 'it has no node yet']);
});

test('a Node whose kubelet has said nothing yet adds nothing', () => {
  const input = { ec2: { state: 'running' }, reason: 'node a is not Ready', console: undefined } as const;
  expect(diagnose({ ...input, node: {} })).toEqual(diagnose({ ...input, node: undefined }));
});
