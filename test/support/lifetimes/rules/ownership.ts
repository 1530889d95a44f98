import { isDeepStrictEqual } from 'node:util';
import { parseLeavingMark, readLeavingMark } from '../../../../shared/nodes/leaving-mark.ts';
import { leavingAnnotation } from '../../../../shared/nodes/node-keys.ts';
import { instanceIdOf } from '../../../../shared/nodes/node-names.ts';
import type { Call } from '../watch/call.ts';
import type { Resident } from '../watch/census.ts';
import {
  hasLostClusterTag,
  isLeaving,
  isManagedGroup,
  isOfJoin,
  isPausedForLong,
  isTaken,
  residentOf,
  time,
} from './facts.ts';
import { isReservation } from './giving-back/reservations.ts';
import { isRollMark, isTaking } from './rolls/facts.ts';
import type { Rule, View } from './rule.ts';

export const foreignLeftAlone: Rule = {
  name: 'foreign-left-alone',
  sentence: 'Drover never touches unmanaged groups, their instances, Nodes and pods.',
  onCall: (call, view) => {
    const resident = residentOf(view, call);
    if (!resident || isManagedGroup(view, resident.autoScalingGroupName)) return undefined;
    if (freesName(call, resident, view)) return undefined;
    return `${call.what}: ${resident.instanceId} is of the foreign group ${resident.autoScalingGroupName}`;
  },
};

/** A joining instance needs its name, which the Node of a terminated instance of any group still has (docs/joining.md). */
const freesName = (call: Call, { instanceId }: Resident, { world }: View): boolean =>
  call.kind === 'delete-node' &&
  call.caller === 'node-joining' &&
  world.account.ec2.instances.find(instanceId)?.state === 'terminated';

export const stayingNodesKept: Rule = {
  name: 'staying-nodes-kept',
  sentence: 'No Node of a running instance that stays is deleted or cordoned.',
  onCall: (call, view) => {
    const cordons =
      call.kind === 'patch-node' &&
      (call.patch.spec?.unschedulable === true || call.patch.metadata?.annotations?.[leavingAnnotation]);
    const resident = residentOf(view, call);
    // Other rules hold for a node that is reserved to be given back, and for one that a roll marks.
    if (isReservation(call) || isRollMark(call)) return undefined;
    if ((!cordons && call.kind !== 'delete-node') || !resident || isLeaving(resident)) return undefined;
    return `${call.what}: ${resident.instanceId} is ${resident.lifecycleState} and stays`;
  },
};

/** A kubelet shows itself within this time, and Drover's knowledge is a little older. */
const takenMilliseconds = 120_000;

export const takenNodesKept: Rule = {
  name: 'taken-nodes-kept',
  sentence:
    'A Node of a terminated instance that another machine of the same name has served for minutes is neither drained nor deleted.',
  onCall: (call, view) => {
    const resident = residentOf(view, call);
    const destroys = call.kind === 'evict' || call.kind === 'delete-pod' || call.kind === 'delete-node';
    if (!destroys || !resident || resident.leftGroupAt === undefined) return undefined;
    const { nodeName = '', instanceId, leftGroupAt } = resident;
    const node = view.world.kubernetes.store.of('nodes').get(undefined, nodeName);
    if (instanceIdOf(node?.spec?.providerID) !== instanceId || !isTaken(view, nodeName)) return undefined;
    const ready = node?.status?.conditions?.find(({ type }) => type === 'Ready');
    const servedSince = Math.max(leftGroupAt, Date.parse(ready?.lastHeartbeatTime ?? ''));
    return call.at - servedSince > takenMilliseconds
      ? `${call.what}: another machine has served node ${nodeName} since ${time(servedSince)}`
      : undefined;
  },
};

export const handsBackOnlyNoticed: Rule = {
  name: 'hands-back-only-noticed',
  sentence:
    'An instance is handed back, or its wait to terminate completed, only if it has a reason to leave.',
  onCall: (call, view) => {
    if ((call.kind !== 'hand-back' && call.kind !== 'complete') || isOfJoin(call)) return undefined;
    // The reason is that it is old: rolls-replace-old.
    if (isTaking(call)) return undefined;
    const resident = residentOf(view, call);
    return resident && isLeaving(resident) ? undefined : `${call.what}: it is ${resident?.lifecycleState}`;
  },
};

export const pauseMeansNothingElse: Rule = {
  name: 'pause-means-nothing-else',
  sentence:
    'Drover keeps the waits of a paused group, and does nothing else for its nodes, unless the group has lost the tag of the cluster.',
  onCall: (call, view) => {
    const resident = residentOf(view, call);
    if (!resident || call.kind === 'beat' || renewsMark(call, view)) return undefined;
    if (!isPausedForLong(resident, view) || freesName(call, resident, view)) return undefined;
    // Such a group is not listed, so its pause is not seen (docs/operating.md, "A group that loses its tags").
    if (hasLostClusterTag(view, resident.autoScalingGroupName, view.now)) return undefined;
    return `${call.what} although ${resident.autoScalingGroupName} has been paused`;
  },
};

/** The patch changes only `renewedAt` of the mark, from which the sweep learns that passes still work on the wait, or restores it. */
function renewsMark(call: Call, { world, census, now }: View): boolean {
  if (call.kind !== 'patch-node') return false;
  const { spec, metadata: { labels, annotations = {} } = {} } = call.patch;
  const node = world.kubernetes.store.of('nodes').get(undefined, call.node.name);
  const before = readLeavingMark(node?.metadata.annotations);
  const after = parseLeavingMark(annotations[leavingAnnotation] ?? '');
  const isMarkAlone = spec === undefined && labels === undefined && Object.keys(annotations).length === 1;
  if (!isMarkAlone || after === undefined) return false;
  // Something may have spoilt the mark since the pass read it, or set an end that no wait can reach, or a beginning in the future or before the
  // Node, which passes do not believe.
  const isEdited = census.ofNode(call.node.name)?.markEditedAt !== undefined;
  if (before === undefined) return isEdited;
  const { until: _, ...rest } = before;
  const bounded = isEdited && after.until === undefined ? rest : before;
  const createdAt = Date.parse(node?.metadata.creationTimestamp ?? '');
  const began = Date.parse(before.since);
  const isUnbelieved = isEdited && (began > now || began < createdAt);
  const believed = isUnbelieved ? { ...bounded, since: after.since } : bounded;
  return isDeepStrictEqual({ ...believed, renewedAt: after.renewedAt }, after);
}

const secrets =
  /Bearer [\w.-]{8,}|"?(?:secretAccessKey|sessionToken|AWS_SECRET_ACCESS_KEY)"?\s*[:=]|certificate-authority-data/i;

export const noSecrets: Rule = {
  name: 'no-secrets',
  sentence: 'No log line contains a token, a key or a part of a kubeconfig.',
  onLine: (line, { world }) => {
    const text = JSON.stringify(line);
    if (!text.includes(world.kubernetes.adminToken) && !secrets.test(text)) return undefined;
    return `${line.functionName} logs a secret`;
  },
};
