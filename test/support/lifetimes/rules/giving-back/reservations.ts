import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { givingBackAnnotation, leavingAnnotation } from '../../../../../shared/nodes/node-keys.ts';
import type { Call } from '../../watch/call.ts';
import { residentOf } from '../facts.ts';
import type { Rule, View } from '../rule.ts';
import { isCordon } from './give-back.ts';

/** The patch with which a pass reserves an empty node before it gives it back, or releases it. */
export const isReservation = (call: Call): boolean =>
  call.kind === 'patch-node' &&
  call.patch.metadata?.annotations?.[givingBackAnnotation] !== undefined &&
  call.patch.metadata.annotations[leavingAnnotation] === undefined;

/** A pass patches a Node moments after it has read it. */
const passMilliseconds = 60_000;

export const reservesOpenNodes: Rule = {
  name: 'reserves-open-nodes',
  sentence: 'A Node that an operator has cordoned is not reserved to be given back.',
  onCall: (call, view) => {
    const { cordonedByHandAt: at } = residentOf(view, call) ?? {};
    return isReservation(call) && isCordon(call) && at !== undefined && at < view.now - passMilliseconds
      ? `${call.what}: an operator cordoned it`
      : undefined;
  },
};

export const givenBackStaysCordoned: Rule = {
  name: 'given-back-stays-cordoned',
  sentence: 'The Node of an instance that is given back stays cordoned until it is gone.',
  onAnswer: ({ call, answer }, view) => {
    const resident = residentOf(view, call);
    if (call.kind === 'give-back' && answer === 200 && resident) resident.givenBack = true;
    return undefined;
  },
  onMoment: ({ world, census }) => {
    const open = census.all().find((one) => {
      const { givenBack, lifecycleState, nodeName, nodeDeletedByHand, uncordonedAt } = one;
      if (!givenBack || nodeDeletedByHand || !lifecycleState?.startsWith('Terminating')) return false;
      // A pass restores it within seconds: cordons-are-restored.
      if (uncordonedAt !== undefined) return false;
      const node = world.kubernetes.store.of('nodes').get(undefined, nodeName ?? '');
      return node !== undefined && node.spec?.unschedulable !== true;
    });
    return open && `${open.nodeName} of ${open.instanceId} takes pods while it is ${open.lifecycleState}`;
  },
};

export const noNodeStaysReserved: Rule = {
  name: 'no-node-stays-reserved',
  sentence:
    'Once the faults are over, no Node of an instance that stays is reserved or cordoned to be given back.',
  onAnswer: ({ call }, view) => {
    const resident = isReservation(call) ? residentOf(view, call) : undefined;
    if (resident && call.kind === 'patch-node') resident.reservedUid = call.node.uid;
    return undefined;
  },
  atEnd: (view) => {
    const nodes = view.world.kubernetes.store.of('nodes').list();
    const left = nodes.filter((node) => staysReserved(node, view));
    return left.length === 0 ? undefined : left.map(({ metadata }) => metadata.name).join(', ');
  },
};

function staysReserved({ metadata = {}, spec }: Node, { census }: View): boolean {
  const resident = census.ofNode(metadata.name ?? '');
  if (resident?.lifecycleState !== 'InService') return false;
  const { annotations = {}, uid } = metadata;
  if (annotations[givingBackAnnotation] !== undefined) return true;
  return (
    spec?.unschedulable === true &&
    annotations[leavingAnnotation] === undefined &&
    resident.cordonedByHandAt === undefined &&
    resident.reservedUid === uid
  );
}
