import { expect, test } from 'vitest';
import { narrate } from '../../../local/story/narrate.ts';
import type { View } from '../../../local/story/view.ts';
import { calmView, instance, node, pod } from './views.ts';

const told = (after: Partial<View>, before: View = calmView): readonly string[] =>
  narrate(before, { ...calmView, ...after }).map(({ speaker, text }) => `${speaker}: ${text}`);

test('no change, no line', () => {
  expect(told({ at: 2_000_000 })).toEqual([]);
});

test('an instance is followed from its first state to its last', () => {
  expect(
    told({ instances: [...calmView.instances, instance('i-3', { lifecycleState: 'Pending' })] }),
  ).toEqual(['aws: i-3 is Pending, new in workers']);
  expect(
    told({ instances: [instance('i-1', { lifecycleState: 'Terminating:Wait' }), instance('i-2')] }),
  ).toEqual(['aws: i-1 is Terminating:Wait: waits for its lifecycle hooks']);
  expect(told({ instances: [instance('i-2')] })).toEqual(['aws: i-1 is gone from workers']);
});

test('a certificate request is followed from the question to the decision', () => {
  const asked = {
    name: 'csr-1',
    requester: 'system:bootstrap:a',
    kind: 'client',
    nodeName: 'ip-3.eu',
  } as const;
  const requests = [
    { ...asked, decision: { type: 'Approved', reason: 'DroverApproved', message: 'it is i-3' } },
  ];
  expect(told({ requests: [asked] })).toEqual([
    'request: system:bootstrap:a asks for a client certificate for ip-3',
  ]);
  expect(told({ requests }, { ...calmView, requests: [asked] })).toEqual([
    'request: a client certificate for ip-3 is approved (system:bootstrap:a): it is i-3',
  ]);
  expect(told({ requests }, { ...calmView, requests })).toEqual([]);
  expect(told({}, { ...calmView, requests })).toEqual([]);
});

test('a node is followed by its short name: cordoned, held up, deleted', () => {
  const held = node('ip-1', 'i-1', { cordoned: true, waitingFor: ['default/a (budget web)'] });
  const nodes = [held, node('ip-2', 'i-2')];
  expect(told({ nodes })).toEqual([
    'node: ip-1 is cordoned',
    'node: ip-1 still waits for default/a (budget web)',
  ]);
  expect(told({ nodes }, { ...calmView, nodes })).toEqual([]);
  expect(told({ nodes: [node('ip-2', 'i-2')] })).toEqual(['node: ip-1 is deleted from the cluster']);
});

test('a node that is uncordoned, or whose kubelet stops reporting, gets a line', () => {
  const cordoned = { ...calmView, nodes: [node('ip-1', 'i-1', { cordoned: true }), node('ip-2', 'i-2')] };
  expect(told({}, cordoned)).toEqual(['node: ip-1 is uncordoned']);
  expect(told({ nodes: [node('ip-1', 'i-1', { ready: false }), node('ip-2', 'i-2')] })).toEqual([
    'node: ip-1 is no longer Ready',
  ]);
});

test('a pod that ends and its successor that starts and becomes ready get lines', () => {
  const ending = pod('a', 'ip-1', { terminating: true });
  const starting = pod('d', 'ip-2', { ready: false, phase: 'Pending' });
  const pods = [ending, ...calmView.pods.slice(1), starting];
  expect(told({ pods })).toEqual(['pod: a is terminating on ip-1', 'pod: d starts on ip-2']);
  const done = [...calmView.pods.slice(1), pod('d', 'ip-2')];
  expect(told({ pods: done }, { ...calmView, pods })).toEqual([
    'pod: a has ended on ip-1',
    'pod: d is ready on ip-2',
  ]);
});

test('a pod without a node gets a line; pods of DaemonSets do not', () => {
  const homeless = pod('d', undefined, { ready: false, phase: 'Pending' });
  const agent = pod('agent', 'ip-2', { daemon: true });
  expect(told({ pods: [...calmView.pods, homeless, agent] })).toEqual([
    'pod: d is created in its place, and waits for a node',
  ]);
});

test('the bounds of a group are reported when they change', () => {
  const [group] = calmView.groups;
  expect(told({ groups: group ? [{ ...group, minSize: 4, maxSize: 12 }] : [] })).toEqual([
    'aws: MinSize of workers is 4 (was 0)',
    'aws: MaxSize of workers is 12 (was 10)',
  ]);
  expect(told({ groups: [] })).toEqual([]);
});
