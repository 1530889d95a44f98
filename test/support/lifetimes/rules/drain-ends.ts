import type { Resident } from '../watch/census.ts';
import { undisturbedSince } from './drains.ts';
import { drainablePods, residentOf, time } from './facts.ts';
import type { Rule, View } from './rule.ts';

/** Five minutes for volumes, the time of load balancers, and passes. */
const releasedMilliseconds = 600_000;
const emptySince = new WeakMap<Resident, number>();

export const emptyNodesAreReleased: Rule = {
  name: 'empty-nodes-are-released',
  sentence:
    'A wait ends minutes after the last pod that was waited for has left its node, whatever volumes stay attached.',
  onMoment: (view) => {
    for (const resident of view.census.all()) {
      if (
        undisturbedSince(resident, view) === undefined ||
        drainablePods(view, resident.nodeName ?? '').length > 0
      ) {
        emptySince.delete(resident);
        continue;
      }
      const since = emptySince.get(resident) ?? view.now;
      emptySince.set(resident, since);
      if (view.now - since > releasedMilliseconds)
        return `node ${resident.nodeName} has been empty since ${time(since)}, and ${resident.instanceId} waits`;
    }
    return undefined;
  },
};

/** The event of AWS, the pass that it leads to, and one that is under way. */
const cancelledMilliseconds = 90_000;

export const cancelledDrainsEnd: Rule = {
  name: 'cancelled-drains-end',
  sentence:
    'No pod is asked to leave once AWS has cancelled the change that was the only reason for the drain.',
  onCall: (call, view) => {
    if (call.kind !== 'evict' && call.kind !== 'delete-pod') return undefined;
    const resident = residentOf(view, call);
    const { cancelledAt, lifecycleState } = resident ?? {};
    if (cancelledAt === undefined || lifecycleState !== 'InService') return undefined;
    if (call.at - cancelledAt < cancelledMilliseconds || isHeldUp(cancelledAt, view)) return undefined;
    return `${call.kind} of ${call.pod.name}, and the change was cancelled at ${time(cancelledAt)}`;
  },
};

const heldUpMilliseconds = 400_000;

const isHeldUp = (since: number, { lastKilledAt, spellsSince }: View): boolean =>
  (lastKilledAt !== undefined && lastKilledAt > since - heldUpMilliseconds) ||
  spellsSince(since - heldUpMilliseconds).length > 0;
