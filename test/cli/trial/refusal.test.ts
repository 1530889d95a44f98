import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { namespaceOf, podTemplate } from '../../../cli/trial/objects.ts';
import { mostInstances, readRecord, type TrialRecord, trialAnnotation } from '../../../cli/trial/record.ts';
import { type TrialGround, whyNoTrial } from '../../../cli/trial/refusal.ts';
import type { AutoScalingGroup, GroupMember } from '../../../shared/groups/group.ts';
import { rollingAnnotation } from '../../../shared/nodes/node-keys.ts';
import { groupOf } from '../../support/waiting-group.ts';

const ids = ['i-00000001', 'i-00000002'];

const nodeOf = (instanceId: string, more: Partial<Node> = {}): Node => ({
  metadata: { name: `node-of-${instanceId}` },
  spec: { providerID: `aws:///eu-west-1a/${instanceId}` },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
  ...more,
});

const groupWith = (more: Partial<AutoScalingGroup> = {}): AutoScalingGroup => ({
  ...groupOf(Object.fromEntries(ids.map((id) => [id, 'InService']))),
  tags: { 'kubernetes.io/cluster/prod': 'owned', 'drover.dev/role': 'worker' },
  ...more,
});

const ground = (more: Partial<TrialGround> = {}): TrialGround => ({
  group: groupWith(),
  hooks: [
    {
      lifecycleHookName: 'drover-node-leaving',
      transition: 'terminating',
      heartbeatTimeoutSeconds: 600,
      globalTimeoutSeconds: 172_800,
      defaultResult: 'CONTINUE',
    },
  ],
  names: {
    clusterName: 'prod',
    leavingHookName: 'drover-node-leaving',
    joiningHookName: 'drover-node-joining',
    etcdHookName: 'drover-etcd',
    etcdLaunchHookName: 'drover-etcd-launch',
  },
  nodes: ids.map((id) => nodeOf(id)),
  activeRefresh: undefined,
  ...more,
});

const inGroup = (more: Partial<AutoScalingGroup>) => ground({ group: groupWith(more) });
const withTags = (tags: Readonly<Record<string, string>>) =>
  inGroup({ tags: { ...groupWith().tags, ...tags } });
const withMember = (more: Partial<GroupMember>) =>
  inGroup({
    instances: groupWith().instances.map((member, index) => (index === 0 ? { ...member, ...more } : member)),
  });
const many = Array.from({ length: mostInstances + 1 }, (_, index) => `i-${String(index).padStart(8, '0')}`);

describe('a trial', () => {
  it('may begin in a settled group of workers', () => {
    expect(whyNoTrial(ground())).toBeUndefined();
  });

  it.each<[string, TrialGround]>([
    ['its role is etcd', withTags({ 'drover.dev/role': 'etcd' })],
    ['the tag of cluster other', withTags({ 'kubernetes.io/cluster/other': 'owned' })],
    ['EKS sets its sizes', withTags({ 'eks:nodegroup-name': 'a', 'eks:cluster-name': 'b' })],
    ['it has a warm pool', inGroup({ hasWarmPool: true })],
    ['counts units', inGroup({ countsUnits: true })],
    ['gives empty nodes back', withTags({ 'drover.dev/give-back-empty': 'true' })],
    ['drover-node-leaving', ground({ hooks: [] })],
    ['it is being deleted', inGroup({ isBeingDeleted: true })],
    ['it is paused', withTags({ 'drover.dev/paused': 'true' })],
    ['it suspends the process Terminate', inGroup({ suspendedProcesses: ['Terminate'] })],
    ['it suspends the process Launch', inGroup({ suspendedProcesses: ['Launch'] })],
    ['instance refresh refresh-1', ground({ activeRefresh: 'refresh-1' })],
    [
      'a roll replaces its node',
      ground({
        nodes: [
          nodeOf(ids[0] ?? '', {
            metadata: {
              name: 'a',
              annotations: { [rollingAnnotation]: '{"roll":"r","since":"2026-11-30T08:00:00Z"}' },
            },
          }),
          nodeOf(ids[1] ?? ''),
        ],
      }),
    ],
    ['is Standby', withMember({ lifecycleState: 'Standby' })],
    ['is Unhealthy', withMember({ healthy: false })],
    ['2 of 3 instances', inGroup({ desiredCapacity: 3 })],
    [
      'choose a smaller group',
      ground({
        group: {
          ...groupWith(),
          ...groupOf(Object.fromEntries(many.map((id) => [id, 'InService']))),
          maxSize: 1000,
          tags: groupWith().tags,
        },
      }),
    ],
    ['MaxSize is 2: raise MaxSize by one', inGroup({ maxSize: 2 })],
    ['no Node of this kubeconfig has i-00000002', ground({ nodes: [nodeOf(ids[0] ?? '')] })],
    [
      'no other node is Ready and takes pods',
      ground({
        nodes: ids.map((id) => nodeOf(id, { spec: { providerID: `aws:///a/${id}`, unschedulable: true } })),
      }),
    ],
  ])('is refused: %s', (message, refused) => {
    expect(whyNoTrial(refused)).toContain(message);
  });
});

describe('the record of a trial', () => {
  const record: TrialRecord = {
    cluster: 'prod',
    group: 'workers',
    startedAt: '2026-11-30T08:00:00.000Z',
    desiredCapacity: 2,
    instanceIds: ids,
  };

  it('is read from the annotation of its namespace', () => {
    expect(readRecord(namespaceOf(record).metadata?.annotations?.[trialAnnotation])).toEqual(record);
  });

  it.each([undefined, '', '{', '{}', '[]', JSON.stringify({ ...record, instanceIds: ['i-1; rm'] })])(
    'is none if the annotation is %j',
    (text) => {
      expect(readRecord(text)).toBeUndefined();
    },
  );
});

// https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted
it('the pods of a trial meet the Pod Security Standard "restricted"', () => {
  const { spec } = podTemplate('registry.example/pause:3.10');
  expect(spec?.securityContext).toMatchObject({
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  });
  expect(spec?.containers.map(({ securityContext }) => securityContext)).toEqual([
    { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, readOnlyRootFilesystem: true },
  ]);
});
