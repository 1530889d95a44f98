import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { givingBackAnnotation, leavingAnnotation } from '../../../../shared/draining/node-keys.ts';
import {
  isDaemonSetPod,
  isFinished,
  isMirrorPod,
  onlyFinalizersRemain,
} from '../../../../shared/draining/pod-facts.ts';
import { readGiveBack } from '../../../../shared/lifecycle/give-back.ts';
import type { Call } from '../watch/call.ts';
import type { Resident } from '../watch/census.ts';
import { residentOf, staleMilliseconds } from './facts.ts';
import type { Finding, Rule, View } from './rule.ts';

type GiveBack = Extract<Call, { readonly kind: 'give-back' }>;

/** The patch with which a pass reserves an empty node before it gives it back, or releases it. */
export const isReservation = (call: Call): boolean =>
  call.kind === 'patch-node' &&
  call.patch.metadata?.annotations?.[givingBackAnnotation] !== undefined &&
  call.patch.metadata.annotations[leavingAnnotation] === undefined;

/** A rule about every call that gives a node back. */
const onGiveBack =
  (judge: (call: GiveBack, resident: Resident, view: View) => Finding): NonNullable<Rule['onCall']> =>
  (call, view) => {
    const resident = residentOf(view, call);
    return call.kind === 'give-back' && resident ? judge(call, resident, view) : undefined;
  };

export const givesBackAsAsked: Rule = {
  name: 'gives-back-as-asked',
  sentence: 'A node is reserved and given back only where the tag of its group asks for it.',
  onCall: (call, view) => {
    if (call.kind !== 'give-back' && !(isReservation(call) && isCordon(call))) return undefined;
    const name = residentOf(view, call)?.autoScalingGroupName ?? '';
    const tags = view.census.tagsSince(name, view.now - staleMilliseconds);
    return tags.some((one) => readGiveBack(one).isOn)
      ? undefined
      : `${call.what}: ${name} does not ask for it`;
  },
};

const isCordon = (call: Call): boolean =>
  call.kind === 'patch-node' && call.patch.spec?.unschedulable === true;

export const givesBackEmpty: Rule = {
  name: 'gives-back-empty',
  sentence: 'A node is given back only cordoned, and only while no pod of a workload is on it.',
  onCall: onGiveBack(({ instanceId }, { nodeName = '', nodeDeletedByHand }, { world }) => {
    const node = world.kubernetes.store.of('nodes').get(undefined, nodeName);
    if (node === undefined || nodeDeletedByHand) return undefined;
    if (node.spec?.unschedulable !== true) return `${instanceId} is given back, and its Node is not cordoned`;
    const pods = world.kubernetes.store
      .of('pods')
      .find('node', nodeName)
      .filter(
        (pod) => !isFinished(pod) && !isDaemonSetPod(pod) && !isMirrorPod(pod) && !onlyFinalizersRemain(pod),
      );
    return pods.length === 0
      ? undefined
      : `${instanceId} is given back with ${pods.map(({ metadata }) => metadata.name).join(', ')}`;
  }),
};

/** While AWS answers stale reads, a pass may act on a group that another tool has changed since. */
const readsOldGroups = (view: View): boolean =>
  view.spellsSince(view.now - staleMilliseconds).some(({ kind }) => kind === 'stale-reads');

export const givesBackOneAtATime: Rule = {
  name: 'gives-back-one-at-a-time',
  sentence:
    'A node is given back only while no other instance of its group has long been joining or leaving.',
  onCall: onGiveBack(({ instanceId }, { autoScalingGroupName }, view) => {
    if (readsOldGroups(view)) return undefined;
    const passing = view.census
      .all()
      .find(
        (one) =>
          one.autoScalingGroupName === autoScalingGroupName &&
          one.instanceId !== instanceId &&
          passesSince(one) <= view.now - settledMilliseconds,
      );
    return passing && `${instanceId} is given back while ${passing.instanceId} is ${passing.lifecycleState}`;
  }),
};

/** The last look at the group comes right before the call. */
const settledMilliseconds = 15_000;

/** Since when an instance is on its way into its group or out of it; never: Infinity. */
function passesSince({ lifecycleState = '', leavingSince, join }: Resident): number {
  if (lifecycleState.startsWith('Terminating')) return leavingSince ?? Infinity;
  return lifecycleState === 'Pending:Wait' ? (join?.since ?? Infinity) : Infinity;
}

export const givesBackAboveFloor: Rule = {
  name: 'gives-back-above-floor',
  sentence:
    'A node is given back only while more instances than MinSize are in service, and only while the desired capacity asks for no launch.',
  onCall: onGiveBack(({ instanceId }, { autoScalingGroupName, lifecycleState }, view) => {
    if (readsOldGroups(view) || lifecycleState !== 'InService') return undefined;
    const { minSize, desiredCapacity } = view.capacity.boundsOf(autoScalingGroupName);
    if (desiredCapacity <= minSize) return `${instanceId} is given back, and MinSize is ${minSize}`;
    const serving = view.census
      .all()
      .filter(
        (one) => one.autoScalingGroupName === autoScalingGroupName && one.lifecycleState === 'InService',
      );
    return serving.length > minSize
      ? undefined
      : `${instanceId} is given back while ${serving.length} serve, and MinSize is ${minSize}`;
  }),
};

export const noNodeStaysReserved: Rule = {
  name: 'no-node-stays-reserved',
  sentence:
    'Once the faults are over, no Node of an instance that stays is reserved or cordoned to be given back.',
  onAnswer: ({ call }, view) => {
    if (call.kind === 'patch-node' && isReservation(call)) reservedIn(view).add(call.node.uid ?? '');
    return undefined;
  },
  atEnd: (view) => {
    const left = view.world.kubernetes.store
      .of('nodes')
      .list()
      .filter((node) => staysReserved(node, view));
    return left.length === 0 ? undefined : left.map(({ metadata }) => metadata.name).join(', ');
  },
};

const everReserved = new WeakMap<object, Set<string>>();

/** The UIDs of the Nodes that were reserved in a lifetime. */
function reservedIn({ world }: View): Set<string> {
  const known = everReserved.get(world) ?? new Set();
  everReserved.set(world, known);
  return known;
}

function staysReserved({ metadata = {}, spec }: Node, view: View): boolean {
  const resident = view.census.ofNode(metadata.name ?? '');
  if (resident?.lifecycleState !== 'InService') return false;
  const { annotations = {}, uid = '' } = metadata;
  if (annotations[givingBackAnnotation] !== undefined) return true;
  return (
    spec?.unschedulable === true &&
    annotations[leavingAnnotation] === undefined &&
    !resident.cordonedByHand &&
    reservedIn(view).has(uid)
  );
}
