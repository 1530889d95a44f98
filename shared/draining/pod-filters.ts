import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { type DaemonSetLookups, daemonSetKey, daemonSetOf } from './daemon-sets.ts';
import { claimsOfDevices, noteOnDevices } from './device-claims.ts';
import { type LabelRequirement, matchesLabels } from './label-selector.ts';
import { controllerOf, isFinished, isMirrorPod, terminatesAt, usesEmptyDir } from './pod-facts.ts';

/** The flags of `kubectl drain`, with the same meaning. */
export interface DrainOptions {
  /** Do not drain DaemonSet pods. Otherwise they refuse the drain. */
  readonly ignoreDaemonSets: boolean;
  /** Drain pods with emptyDir volumes too, whose data is lost. Otherwise they refuse the drain. */
  readonly deleteEmptyDirData: boolean;
  /** Drain pods without a controller too, which nothing recreates. Otherwise they refuse the drain. */
  readonly force: boolean;
  /** Replaces the grace period of every pod. By default each has its own. */
  readonly gracePeriodSeconds?: number;
  /** Skip pods that should have been gone for more than this many whole seconds; 0 waits for every pod. */
  readonly skipWaitForDeleteTimeoutSeconds: number;
  /** Drain only pods whose labels meet every requirement; empty selects all. */
  readonly podSelector: readonly LabelRequirement[];
  /** Delete pods instead of evicting them, without regard to budgets (`--disable-eviction`). */
  readonly disableEviction: boolean;
}

/** What `kubectl drain NODE` does without flags. */
export const kubectlDefaults: DrainOptions = {
  ignoreDaemonSets: false,
  deleteEmptyDirData: false,
  force: false,
  skipWaitForDeleteTimeoutSeconds: 0,
  podSelector: [],
  disableEviction: false,
};

/** What an automated drain does without tags on the group: the node goes, whatever runs on it. */
export const automatedDefaults: DrainOptions = {
  ...kubectlDefaults,
  ignoreDaemonSets: true,
  deleteEmptyDirData: true,
  force: true,
};

/**
 * What a drain does with a pod, and the reason for an operator:
 * - `evict`: asks the API server, which respects the budget of the pod;
 * - `delete`: bypasses the budget, at the deadline of the node or because the operator asked for it;
 * - `skip`: leaves the pod and does not wait for it;
 * - `refuse`: stops the whole drain until an operator has decided about this pod.
 */
export interface PodVerdict {
  readonly verdict: 'evict' | 'delete' | 'skip' | 'refuse';
  readonly reason: string;
}

/** The result of a filter: it passes the pod on, perhaps with a note, or decides. */
type FilterAnswer =
  | { readonly verdict: 'pass'; readonly note?: string }
  | { readonly verdict: 'skip' | 'refuse'; readonly reason: string };

const pass = (note?: string): FilterAnswer => ({ verdict: 'pass', ...(note && { note }) });
const skip = (reason: string): FilterAnswer => ({ verdict: 'skip', reason });
const refuse = (reason: string): FilterAnswer => ({ verdict: 'refuse', reason });

/** The input of a filter besides the pod. */
interface FilterContext {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly options: DrainOptions;
  readonly daemonSets: DaemonSetLookups;
}

type PodFilter = (pod: Pod, context: FilterContext) => FilterAnswer;

/** kubectl passes the selector to the API server, so that it never sees other pods. */
const unselected: PodFilter = (pod, { options }) =>
  matchesLabels(pod.metadata?.labels, options.podSelector)
    ? pass()
    : skip('its labels do not match the pod selector');

/** The time in whole seconds, rounded down, must exceed the limit: with 60, a pod is skipped from 61 on. */
const longDeleted: PodFilter = (pod, { now, options }) => {
  const limit = options.skipWaitForDeleteTimeoutSeconds;
  const endsAt = terminatesAt(pod);
  if (limit <= 0 || endsAt === undefined) return pass();
  const secondsLate = Math.trunc((now - endsAt) / 1000);
  return secondsLate > limit ? skip(`should have been gone for more than ${limit} s`) : pass();
};

/** What `drover drain` warns of; the reason of a verdict has these words. */
export const drainNotes = {
  daemonSet: 'belongs to DaemonSet',
  emptyDir: 'its emptyDir data is lost',
  unmanaged: 'no controller recreates it',
} as const;

const daemonSetPod: PodFilter = (pod, { options, daemonSets }) => {
  const name = daemonSetOf(pod);
  if (name === undefined || isFinished(pod)) return pass();
  const answer = daemonSets.get(daemonSetKey(name)) ?? { unknown: 'it was not looked up' };
  if (answer === 'gone') {
    const orphaned = `its DaemonSet ${name.name} no longer exists`;
    return options.force ? pass(orphaned) : refuse(`${orphaned} (force would evict it)`);
  }
  if (answer !== 'found') return refuse(`its DaemonSet ${name.name} cannot be looked up: ${answer.unknown}`);
  return options.ignoreDaemonSets
    ? skip(`${drainNotes.daemonSet} ${name.name}`)
    : refuse(`${drainNotes.daemonSet} ${name.name} (ignore-daemonsets would leave it)`);
};

const mirrorPod: PodFilter = (pod) => (isMirrorPod(pod) ? skip('mirrors a static pod') : pass());

const localStorage: PodFilter = (pod, { options }) => {
  if (!usesEmptyDir(pod) || isFinished(pod)) return pass();
  return options.deleteEmptyDirData
    ? pass(drainNotes.emptyDir)
    : refuse('has emptyDir data (delete-emptydir-data would lose it)');
};

const unmanaged: PodFilter = (pod, { options }) => {
  if (isFinished(pod) || controllerOf(pod)) return pass();
  return options.force
    ? pass(drainNotes.unmanaged)
    : refuse('no controller would recreate it (force would evict it)');
};

/** kubectl has no such filter: devices of dynamic resource allocation change no verdict, but they may keep the replacement Pending. */
const devices: PodFilter = (pod) => pass(noteOnDevices(claimsOfDevices(pod)));

/** In kubectl's order (pkg/drain, makeFilters). The first filter that does not pass the pod on decides. */
const filters: readonly PodFilter[] = [
  unselected,
  longDeleted,
  daemonSetPod,
  mirrorPod,
  localStorage,
  unmanaged,
  devices,
];

/** Judges one pod as `kubectl drain` does. */
export function filterPod(pod: Pod, context: FilterContext): PodVerdict {
  const notes: string[] = [];
  for (const filter of filters) {
    const answer = filter(pod, context);
    if (answer.verdict !== 'pass') return answer;
    if (answer.note) notes.push(answer.note);
  }
  const verdict = context.options.disableEviction ? 'delete' : 'evict';
  return { verdict, reason: notes.length > 0 ? notes.join('; ') : ordinaryReason(pod) };
}

function ordinaryReason(pod: Pod): string {
  if (isFinished(pod)) return `has finished (${pod.status?.phase})`;
  const controller = controllerOf(pod);
  return `is managed by ${controller?.kind} ${controller?.name}`;
}
