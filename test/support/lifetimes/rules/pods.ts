import {
  controllerOf,
  isDaemonSetPod,
  isMirrorPod,
  ownGraceSeconds,
} from '../../../../shared/draining/pod-facts.ts';
import { settingsOf } from '../watch/census.ts';
import { drainablePods, earliestDeadline, isLeaving, podOf, residentOf, time } from './facts.ts';
import type { Rule, View } from './rule.ts';

/** Stamps have whole seconds, events too. */
const slackMilliseconds = 2000;

const nameOf = ({ namespace, name }: { readonly namespace: string; readonly name: string }): string =>
  `${namespace}/${name}`;

export const uidPrecondition: Rule = {
  name: 'uid-precondition',
  sentence: 'Every eviction and every deletion has the UID of its object as a precondition.',
  onCall: (call) => {
    if (call.kind === 'evict' || call.kind === 'delete-pod')
      return call.pod.uid ? undefined : `${call.kind} of ${nameOf(call.pod)} has no UID precondition`;
    if (call.kind !== 'delete-node') return undefined;
    return call.node.uid ? undefined : `the deletion of node ${call.node.name} has no UID precondition`;
  },
};

export const neverGraceZero: Rule = {
  name: 'never-grace-zero',
  sentence: 'No pod is deleted with a grace of zero, because its containers could still run.',
  onCall: (call) => {
    if (call.kind !== 'evict' && call.kind !== 'delete-pod') return undefined;
    const { gracePeriodSeconds: grace } = call.pod;
    if (grace === undefined || grace >= 1) return undefined;
    return `${call.kind} of ${nameOf(call.pod)} with a grace of ${grace}`;
  },
};

export const budgetUntilDeadline: Rule = {
  name: 'budget-until-deadline',
  sentence:
    'A pod is deleted past its budget only within its own grace before the deadline; before, it is only evicted.',
  onCall: (call, view) => {
    const pod = podOf(view, call);
    const resident = residentOf(view, call);
    if (call.kind !== 'delete-pod' || !pod || !resident) return undefined;
    const from = earliestDeadline(resident, view) - ownGraceSeconds(pod) * 1000;
    if (call.at >= from - slackMilliseconds) return undefined;
    return `${nameOf(call.pod)} is deleted ${Math.round((from - call.at) / 1000)} s before it may be (${time(from)})`;
  },
};

export const forcedPodsSayWhy: Rule = {
  name: 'forced-pods-say-why',
  sentence:
    'A pod that is deleted past its budget has the condition DisruptionTarget, if nothing is disturbed.',
  onCall: (call, view) => {
    const pod = podOf(view, call);
    if (call.kind !== 'delete-pod' || !pod || pod.metadata?.deletionTimestamp !== undefined) return undefined;
    if (view.spellsSince(call.at - slackMilliseconds).length > 0) return undefined;
    const says = pod.status?.conditions?.some(
      ({ type, status }) => type === 'DisruptionTarget' && status === 'True',
    );
    return says ? undefined : `${nameOf(call.pod)} is deleted without the condition DisruptionTarget`;
  },
};

export const graceThatFits: Rule = {
  name: 'grace-that-fits',
  sentence: 'A pod gets its own grace, or as much of it as fits before the deadline.',
  onCall: (call, view) => {
    const pod = podOf(view, call);
    const resident = residentOf(view, call);
    if ((call.kind !== 'delete-pod' && call.kind !== 'evict') || !pod || !resident) return undefined;
    const { gracePeriodSeconds: grace } = call.pod;
    if (grace === undefined) return undefined;
    const own = ownGraceSeconds(pod);
    const fits = Math.floor((earliestDeadline(resident, view) - slackMilliseconds - call.at) / 1000);
    if (grace >= Math.min(own, fits) && grace <= Math.max(1, own)) return undefined;
    return `${nameOf(call.pod)} gets ${grace} s of grace; its own is ${own}, ${fits} fit`;
  },
};

export const onlyLeavingPods: Rule = {
  name: 'only-leaving-pods',
  sentence: 'Pods are evicted and deleted only on nodes whose instance leaves.',
  onCall: (call, view) => {
    const pod = podOf(view, call);
    if ((call.kind !== 'delete-pod' && call.kind !== 'evict') || !pod) return undefined;
    const resident = residentOf(view, call);
    if (resident && isLeaving(resident)) return undefined;
    return `${call.kind} of ${nameOf(call.pod)} on node ${pod.spec?.nodeName ?? '(none)'}, which stays`;
  },
};

export const daemonPodsAlone: Rule = {
  name: 'daemon-pods-alone',
  sentence: 'Pods of an existing DaemonSet are not touched before the deadline, and static pods never.',
  onCall: (call, view) => {
    const pod = podOf(view, call);
    if ((call.kind !== 'delete-pod' && call.kind !== 'evict') || !pod) return undefined;
    if (isMirrorPod(pod)) return `${call.kind} of the mirror pod ${nameOf(call.pod)}`;
    if (!isDaemonSetPod(pod) || !hasDaemonSet(view, call.pod.namespace, controllerOf(pod)?.name))
      return undefined;
    const resident = residentOf(view, call);
    const tags = resident ? view.census.tagsSince(resident.autoScalingGroupName, view.now - 60_000) : [];
    if (tags.some((one) => !settingsOf(one).ignoreDaemonSets)) return undefined;
    // A look-up that fails to the end makes the pod refuse, and what refuses goes at the deadline.
    if (resident && call.at >= earliestDeadline(resident, view) - ownGraceSeconds(pod) * 1000)
      return undefined;
    return `${call.kind} of ${nameOf(call.pod)}, which a DaemonSet keeps`;
  },
};

const hasDaemonSet = ({ world }: View, namespace: string, name = ''): boolean =>
  world.kubernetes.store.of('daemonsets.apps').get(namespace, name) !== undefined;

/** Pods that must not be there when the instance is let go. */
export const podsLeftBehind = (view: View, nodeName: string): string =>
  drainablePods(view, nodeName)
    .map((pod) => `${pod.metadata?.namespace}/${pod.metadata?.name}`)
    .join(', ');
