import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { ownGraceSeconds, terminatesAt } from '../../../../shared/draining/pod-facts.ts';
import { readLeavingMark } from '../../../../shared/nodes/leaving-mark.ts';
import { pauseOf } from '../../../../shared/passes/pause.ts';
import { type Resident, settingsOf } from '../watch/census.ts';
import { refusesName } from '../weather.ts';
import {
  answers,
  drainablePods,
  hasLostClusterTag,
  hasReturned,
  isManagedGroup,
  podOf,
  residentOf,
  staleMilliseconds,
  time,
} from './facts.ts';
import type { Rule, View } from './rule.ts';
import { killedMilliseconds } from './waits.ts';

/** A pod that has returned is let be for a minute. Stamps have whole seconds. */
const returnedMilliseconds = 58_000;

export const returnedPodsAreLetBe: Rule = {
  name: 'returned-pods-are-let-be',
  sentence:
    'A pod that has returned to a cordoned node runs for a minute at least before it is evicted again.',
  onCall: (call, view) => {
    const pod = podOf(view, call);
    if (call.kind !== 'evict' || !pod || !hasReturned(view, pod, pod.spec?.nodeName ?? '')) return undefined;
    if (residentOf(view, call)?.markEditedAt !== undefined) return undefined;
    const createdAt = createdAtOf(pod);
    const since = markedAt(view, pod.spec?.nodeName ?? '') ?? Infinity;
    // Clocks differ by this much at most, and what came as the cordon did is like what ran before.
    if (createdAt < since + clockMilliseconds(view) + 5000) return undefined;
    const age = call.at + clockMilliseconds(view) - createdAt;
    if (age >= returnedMilliseconds) return undefined;
    return `${call.pod.name} is evicted ${Math.round(age / 1000)} s after it returned`;
  },
};

const createdAtOf = ({ metadata }: Pod): number => Date.parse(metadata?.creationTimestamp ?? '');

const clockMilliseconds = ({ plan }: View): number =>
  2000 * Math.max(0, ...Object.values(plan.conditions.clockOffsetSeconds).map(Math.abs));

function markedAt({ world }: View, nodeName: string): number | undefined {
  const node = world.kubernetes.store.of('nodes').get(undefined, nodeName);
  const since = readLeavingMark(node?.metadata.annotations)?.since;
  return since === undefined ? undefined : Date.parse(since);
}

/** Past its deadline a drain needs passes, volumes to detach and load balancers to let go. */
const endedMilliseconds = 600_000;

export const drainsEndByDeadline: Rule = {
  name: 'drains-end-by-deadline',
  sentence:
    'A wait ends minutes after the deadline of its drain, whatever returns to the node or is refused.',
  onMoment: (view) => {
    for (const resident of view.census.all()) {
      const since = undisturbedSince(resident, view);
      if (since === undefined) continue;
      const tags = view.census.tagsSince(resident.autoScalingGroupName, since - staleMilliseconds);
      const drainSeconds = Math.max(...tags.map((one) => settingsOf(one).drainTimeoutSeconds));
      const graceSeconds = Math.max(...view.plan.workloads.map((one) => one.graceSeconds));
      const end = since + (drainSeconds + graceSeconds) * 1000 + endedMilliseconds;
      if (view.now > end)
        return `the drain of ${resident.instanceId} since ${time(since)} should have ended at ${time(end)}`;
    }
    return undefined;
  },
};

/** When the drain of a marked Node began, whatever an edited mark says: at most once for each edit it begins again. */
function markedSince({ nodeName = '', markEditedAt, leavingSince = 0 }: Resident, view: View) {
  const marked = markedAt(view, nodeName);
  return marked === undefined || markEditedAt === undefined ? marked : Math.max(leavingSince, markEditedAt);
}

/** The drain waits for a replacement or a turn, and its timeout does not run. */
const awaits = ({ nodeName = '' }: Resident, { world }: View): boolean =>
  readLeavingMark(world.kubernetes.store.of('nodes').get(undefined, nodeName)?.metadata.annotations)
    ?.awaiting !== undefined;

/** When the Node of a waiting instance was marked, if nothing but webhooks, for some objects, has disturbed its drain. Epoch milliseconds. */
export function undisturbedSince(resident: Resident, view: View): number | undefined {
  const { lifecycleState, autoScalingGroupName, nodeDeletedByHand } = resident;
  if (lifecycleState !== 'Terminating:Wait' || nodeDeletedByHand) return undefined;
  const since = awaits(resident, view) ? undefined : markedSince(resident, view);
  if (since === undefined || !isManagedGroup(view, autoScalingGroupName)) return undefined;
  const { lastKilledAt, census } = view;
  if (!answers(resident, view) || hasLostClusterTag(view, autoScalingGroupName, since)) return undefined;
  if (lastKilledAt !== undefined && lastKilledAt > since - killedMilliseconds) return undefined;
  const tags = census.tagsSince(autoScalingGroupName, since - staleMilliseconds);
  if (tags.some((one) => pauseOf(one) !== undefined)) return undefined;
  const spells = view.spellsSince(since - killedMilliseconds);
  return spells.every(({ kind }) => kind === 'objects-refused') ? since : undefined;
}

/** Within this time every pod has had its turn, even while the calls for others hang. */
const askedMilliseconds = 150_000;
const asked = new WeakMap<View['census'], Set<string>>();

export const othersAreAsked: Rule = {
  name: 'others-are-asked',
  sentence:
    'While a webhook refuses some pods or does not answer, every other pod of the node is asked to leave within minutes.',
  onCall: (call, { census }) => {
    if (call.kind !== 'evict' && call.kind !== 'delete-pod') return undefined;
    asked.set(census, (asked.get(census) ?? new Set()).add(call.pod.uid ?? ''));
    return undefined;
  },
  onMoment: (view) => {
    const refusals = view.spellsSince(view.now - askedMilliseconds);
    if (!refusals.some(({ kind }) => kind === 'objects-refused')) return undefined;
    for (const resident of view.census.all()) {
      const { nodeName = '', instanceId } = resident;
      const since = undisturbedSince(resident, view);
      if (since === undefined || view.now - since < askedMilliseconds || hasRefusing(resident, view))
        continue;
      const forgotten = drainablePods(view, nodeName).find((pod) => isForgotten(pod, { view, since }));
      if (forgotten)
        return `${forgotten.metadata?.name} of ${instanceId} was never asked to leave since ${time(since)}`;
    }
    return undefined;
  },
};

/** Some pod of the node may refuse to leave at all, and then none is evicted before the deadline. */
const hasRefusing = ({ autoScalingGroupName }: Resident, { census, plan }: View): boolean =>
  plan.workloads.some(({ kind }) => kind === 'DaemonSet') ||
  census
    .tagsSince(autoScalingGroupName, 0)
    .map(settingsOf)
    .some(({ force, deleteEmptyDirData }) => !force || !deleteEmptyDirData);

function isForgotten(pod: Pod, { view, since }: { readonly view: View; readonly since: number }): boolean {
  const { name = '', uid = '', labels } = pod.metadata ?? {};
  const workload = view.plan.workloads.find((one) => one.name === labels?.['app']);
  if (workload === undefined || workload.critical || workload.budgets.length > 0) return false;
  if (terminatesAt(pod) !== undefined || createdAtOf(pod) > since || ownGraceSeconds(pod) > 300) return false;
  const isRefused = view
    .spellsSince(since - killedMilliseconds)
    .some((spell) => spell.kind === 'objects-refused' && refusesName(spell, name));
  return !isRefused && !asked.get(view.census)?.has(uid);
}
