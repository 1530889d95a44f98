import { isoSeconds } from '../../shared/base/iso-seconds.ts';
import type { Bounds } from '../../shared/capacity/groups.ts';
import type { FloorRecord } from '../../shared/capacity/holds/floor-record.ts';
import type { HoldReading } from '../../shared/capacity/holds/hold.ts';
import type { ApprovedKind } from '../../shared/certificates/built-in-approvers.ts';
import { kubeadmApprovals } from '../../shared/certificates/built-in-approvers.ts';
import { eksNodegroupOf, roleOf } from '../../shared/groups/group.ts';
import { pauseOf } from '../../shared/passes/pause.ts';
import type { NodeTraces } from './node-traces.ts';
import { droverTags, type GroupObservation } from './observation.ts';

/** One step, in words and as data for what carries it out. */
export type Step = StepWork & {
  /** What is changed, such as a hook or a Node. */
  readonly subject: string;
  /** What it is now and what it becomes. */
  readonly does: string;
  /** What may be lost or break; undefined if nothing. */
  readonly risk?: string;
};

type StepWork =
  | { readonly kind: 'await-waits'; readonly instanceIds: readonly string[] }
  | { readonly kind: 'pause' }
  /** Several groups are paused at once, and wait for their passes together. */
  | { readonly kind: 'only-pause' }
  | { readonly kind: 'settle'; readonly until: number }
  | { readonly kind: 'schedule'; readonly name: string }
  | { readonly kind: 'hold'; readonly name: string }
  | { readonly kind: 'bounds'; readonly record: FloorRecord }
  | { readonly kind: 'node'; readonly traces: NodeTraces }
  | { readonly kind: 'approver'; readonly approval: ApprovedKind }
  | { readonly kind: 'hook'; readonly lifecycleHookName: string }
  | { readonly kind: 'tags'; readonly keys: readonly string[] };

/** What a leave does with a group, in order. */
export interface LeavePlan {
  readonly autoScalingGroupName: string;
  readonly steps: readonly Step[];
  /** What the operator has to do or to know. */
  readonly notes: readonly string[];
}

/** Passes see a pause within 20 seconds, and one that has begun ends within 26. */
export const settleSeconds = 50;

/**
 * The steps that are left, from what is there now: a second run continues where the first one was killed. Passes are paused once nothing
 * waits, so that they change nothing that is removed here. Hooks go last but for the tags, by which AWS permits Drover's calls. Pure.
 */
export function planLeave(observation: GroupObservation): LeavePlan {
  const { group } = observation;
  const changes = [
    ...scheduleSteps(observation),
    ...holdSteps(observation),
    ...boundsSteps(observation),
    ...nodeSteps(observation),
    ...approverSteps(observation),
    ...hookSteps(observation),
    ...tagSteps(observation),
  ];
  const steps =
    changes.length === 0 ? [] : [...waitSteps(observation), ...pauseSteps(observation, changes), ...changes];
  return {
    autoScalingGroupName: group.autoScalingGroupName,
    steps,
    notes: steps.length === 0 ? [] : notesOf(observation),
  };
}

function waitSteps({ waits, ourHooks, group }: GroupObservation): readonly Step[] {
  const ours = waits.filter(({ hooks }) => hooks.length > 0);
  if (ours.length === 0 || ourHooks.length === 0) return [];
  const paused = pauseOf(group.tags) === undefined ? '' : ', which the pause of the group prevents';
  return [
    {
      kind: 'await-waits',
      instanceIds: ours.map(({ instanceId }) => instanceId),
      subject: ours.map(({ instanceId, lifecycleState }) => `${instanceId} (${lifecycleState})`).join(', '),
      does: `waits for Drover to complete these waits${paused}`,
      risk: 'a hook that is deleted while an instance waits terminates the instance: undrained if it leaves, and also if it launches (ABANDON)',
    },
  ];
}

/** A pause without passes that could act is of no use: nothing but the tags of a group that Drover does not manage is left. */
function pauseSteps({ group, now }: GroupObservation, changes: readonly Step[]): readonly Step[] {
  const pause = pauseOf(group.tags);
  const isManaged = roleOf(group) !== undefined;
  if (!isManaged || changes.every(({ kind }) => kind === 'tags')) return [];
  if (pause === undefined)
    return [
      {
        kind: 'pause',
        subject: 'tag drover.dev/paused',
        does: `is set, and passes see it within ${settleSeconds} s: Drover changes nothing in the group any more`,
        risk: 'an instance that terminates from now on is not drained',
      },
    ];
  const until = Date.parse(pause.since ?? '') + settleSeconds * 1000;
  if (!(until > now)) return [];
  return [{ kind: 'settle', until, subject: 'the pause', does: 'is awaited until every pass has seen it' }];
}

const scheduleSteps = ({ schedules }: GroupObservation): readonly Step[] =>
  schedules.map((name) => ({
    kind: 'schedule',
    name,
    subject: `schedule ${name}`,
    does: 'is deleted',
    risk: 'its nodes are not launched ahead of time any more',
  }));

const nameOfHold = (reading: HoldReading): string =>
  reading.kind === 'hold' ? reading.hold.name : reading.name;

const holdSteps = ({ holds }: GroupObservation): readonly Step[] =>
  holds.holds.map((reading) => ({
    kind: 'hold',
    name: nameOfHold(reading),
    subject: `hold ${nameOfHold(reading)}`,
    does:
      reading.kind === 'hold'
        ? `ends; it asks for ${reading.hold.nodes} until ${isoSeconds(reading.hold.until)}`
        : 'is deleted; it cannot be read',
    risk: 'what scales the group may remove its nodes',
  }));

function boundsSteps({ group, holds }: GroupObservation): readonly Step[] {
  if (holds.record.kind !== 'record') return [];
  const bounds = baseBoundsOf(group, holds.record.record);
  const changes = [
    ...(bounds.minSize === undefined ? [] : [`MinSize ${group.minSize} -> ${bounds.minSize}`]),
    ...(bounds.maxSize === undefined ? [] : [`MaxSize ${group.maxSize} -> ${bounds.maxSize}`]),
  ];
  const does = changes.length > 0 ? `go back to the base: ${changes.join(', ')}` : 'stay as they are';
  return [
    {
      kind: 'bounds',
      record: holds.record.record,
      subject: 'MinSize and MaxSize',
      does: `${does}; the record of the base is deleted`,
    },
  ];
}

/**
 * The bounds that Drover raised for holds, back at their base. A bound that is not Drover's was set by something else and stays. MaxSize
 * stays above the desired capacity, which Auto Scaling would lower with it. Pure.
 */
export function baseBoundsOf(
  { minSize, maxSize, desiredCapacity }: Bounds & { readonly desiredCapacity: number },
  record: FloorRecord,
): Partial<Bounds> {
  const isOurs = (bound: FloorRecord['minSize'], current: number): boolean =>
    bound.ours.includes(current) && current !== bound.base;
  const canLower = record.maxSize.base >= desiredCapacity;
  return {
    ...(isOurs(record.minSize, minSize) && !record.lost && { minSize: record.minSize.base }),
    ...(isOurs(record.maxSize, maxSize) && canLower && { maxSize: record.maxSize.base }),
  };
}

const nodeSteps = ({ cluster }: GroupObservation): readonly Step[] =>
  (cluster?.traces ?? []).map((traces) => ({
    kind: 'node',
    traces,
    subject: `node ${traces.name}`,
    does: `${traces.uncordons ? 'is uncordoned and ' : ''}loses ${traces.keys.join(', ')}`,
    ...(traces.keepsCordon
      ? { risk: `it stays cordoned, because its mark cannot be read: kubectl uncordon ${traces.name}` }
      : traces.uncordons && {
          risk: 'pods are scheduled to it again, although its instance may be about to leave',
        }),
  }));

function approverSteps({ cluster, isLast, ourHooks, group }: GroupObservation): readonly Step[] {
  // Nothing of Drover is on this group: its nodes were renewed by something else before.
  if (ourHooks.length === 0 && droverTags(group).length === 0) return [];
  return (cluster?.missingApprovals ?? [])
    .filter((approval) => isLast || approval === 'selfnodeclient')
    .map((approval) => ({
      kind: 'approver',
      approval,
      subject: `ClusterRoleBinding ${kubeadmApprovals[approval].name}`,
      does: `is created, so that kube-controller-manager approves ${approval === 'nodeclient' ? 'the first certificates of new nodes' : 'the renewals of node certificates'} without Drover`,
      risk:
        approval === 'nodeclient'
          ? 'it does not check EC2: any holder of a bootstrap token can become any node'
          : 'it does not check EC2, and it applies to every node of the cluster',
    }));
}

const hookSteps = ({ ourHooks }: GroupObservation): readonly Step[] =>
  ourHooks.map(({ lifecycleHookName, transition }) => ({
    kind: 'hook',
    lifecycleHookName,
    subject: `hook ${lifecycleHookName}`,
    does: 'is deleted, unless an instance waits by then',
    risk:
      transition === 'terminating'
        ? 'instances terminate without a drain from now on'
        : 'instances go into service before their nodes are Ready from now on',
  }));

function tagSteps({ group }: GroupObservation): readonly Step[] {
  const keys = droverTags(group);
  return keys.length === 0
    ? []
    : [{ kind: 'tags', keys, subject: `tags ${keys.join(', ')}`, does: 'are deleted' }];
}

function notesOf({ group, holds, isLast, cluster }: GroupObservation): readonly string[] {
  const { tags } = group;
  const stack = tags['aws:cloudformation:stack-name'];
  const nodegroup = eksNodegroupOf(group);
  return [
    ...(stack === undefined
      ? [
          'if Terraform or another tool has made the hooks or tags, remove them there too: its next apply brings them back',
        ]
      : [
          `stack ${stack} has made the group: remove the hooks and tags from its template, or its next update brings them back`,
        ]),
    ...(nodegroup === undefined
      ? []
      : [`EKS manages the group as node group ${nodegroup.nodegroupName}, and drains its nodes itself`]),
    ...(roleOf(group) === 'etcd'
      ? ['its members continue and their DNS records stay, but members are not replaced any more']
      : []),
    ...(holds.record.kind === 'newer' || holds.record.kind === 'unreadable' || isLostRecord(holds)
      ? [
          `MinSize ${group.minSize} and MaxSize ${group.maxSize} stay: what they were before holds cannot be read`,
        ]
      : []),
    ...(cluster === undefined
      ? [
          'the cluster is left out: its Nodes may stay cordoned and marked, and nothing may renew certificates',
        ]
      : []),
    ...(cluster?.needsAutoapprover
      ? [
          `${isLast ? 'nothing approves certificates after this' : 'new nodes of the group need another approver'}: set openshift_master_bootstrap_auto_approve=true and run openshift-ansible, or approve with oc adm certificate approve`,
        ]
      : []),
    ...(cluster && cluster.missingApprovals.includes('nodeclient') && !isLast
      ? ['new nodes of the group need another approver for their first certificate']
      : []),
    'new instances still run the user data of the launch template: if it reads a parameter of Drover, change it before drover uninstall',
  ];
}

const isLostRecord = ({ record }: GroupObservation['holds']): boolean =>
  record.kind === 'record' && record.record.lost === true;
