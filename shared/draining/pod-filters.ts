import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { type DaemonSetLookups, daemonSetKey, daemonSetOf } from './daemon-sets.ts';
import type { DrainOptions } from './drain-options.ts';
import { matchesLabels } from './label-selector.ts';
import { controllerOf, isFinished, isMirrorPod, terminatesAt, usesEmptyDir } from './pod-facts.ts';
import { type FilterAnswer, type PodVerdict, pass, refuse, skip } from './pod-verdict.ts';

/** What the filters are told beside the pod. */
export interface FilterContext {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly options: DrainOptions;
  readonly daemonSets: DaemonSetLookups;
}

type PodFilter = (pod: Pod, context: FilterContext) => FilterAnswer;

/** kubectl leaves this to the API server's labelSelector: what is not selected is not seen. */
const unselected: PodFilter = (pod, { options }) =>
  matchesLabels(pod.metadata?.labels, options.podSelector)
    ? pass()
    : skip('its labels do not match the pod selector');

/** Whole seconds, rounded down, must exceed the limit: with 60, a pod is skipped from 61 on. */
const longDeleted: PodFilter = (pod, { now, options }) => {
  const limit = options.skipWaitForDeleteTimeoutSeconds;
  const endsAt = terminatesAt(pod);
  if (limit <= 0 || endsAt === undefined) return pass();
  const secondsLate = Math.trunc((now - endsAt) / 1000);
  return secondsLate > limit ? skip(`should have been gone for more than ${limit} s`) : pass();
};

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
    ? skip(`belongs to DaemonSet ${name.name}`)
    : refuse(`belongs to DaemonSet ${name.name} (ignore-daemonsets would leave it)`);
};

const mirrorPod: PodFilter = (pod) => (isMirrorPod(pod) ? skip('mirrors a static pod') : pass());

const localStorage: PodFilter = (pod, { options }) => {
  if (!usesEmptyDir(pod) || isFinished(pod)) return pass();
  return options.deleteEmptyDirData
    ? pass('its emptyDir data is lost')
    : refuse('has emptyDir data (delete-emptydir-data would lose it)');
};

const unmanaged: PodFilter = (pod, { options }) => {
  if (isFinished(pod) || controllerOf(pod)) return pass();
  return options.force
    ? pass('no controller makes it anew')
    : refuse('no controller would make it anew (force would evict it)');
};

/** kubectl's order (pkg/drain, makeFilters): the first that ends a pod's way decides. */
const filters: readonly PodFilter[] = [
  unselected,
  longDeleted,
  daemonSetPod,
  mirrorPod,
  localStorage,
  unmanaged,
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
