import { readLeavingMark } from '../../../../shared/nodes/leaving-mark.ts';
import { pauseOf } from '../../../../shared/passes/pause.ts';
import type { Resident } from '../watch/census.ts';
import { undisturbedSince } from './drains.ts';
import { answers, drainablePods, hasLostTags, time } from './facts.ts';
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
const cancelledMilliseconds = 180_000;

export const cancelledDrainsEnd: Rule = {
  name: 'cancelled-drains-end',
  sentence:
    'Minutes after AWS has cancelled the change that was the only reason for a drain, the Node is open and not marked, if nothing is disturbed.',
  onMoment: (view) => {
    for (const resident of view.census.all()) {
      const { cancelledAt, nodeName = '' } = resident;
      if (cancelledAt === undefined || view.now - cancelledAt < cancelledMilliseconds) continue;
      const node = view.world.kubernetes.store.of('nodes').get(undefined, nodeName);
      if (readLeavingMark(node?.metadata.annotations) === undefined) continue;
      if (isUncordonHeld(resident, cancelledAt, view)) continue;
      return `node ${nodeName} is marked, and the change was cancelled at ${time(cancelledAt)}`;
    }
    return undefined;
  },
};

const heldUpMilliseconds = 400_000;

function isUncordonHeld(resident: Resident, since: number, view: View): boolean {
  const { lifecycleState, markEditedAt, autoScalingGroupName } = resident;
  const { lastKilledAt, spellsSince, census } = view;
  if (lifecycleState !== 'InService' || markEditedAt !== undefined || !answers(resident, view)) return true;
  if (lastKilledAt !== undefined && lastKilledAt > since - heldUpMilliseconds) return true;
  if (hasLostTags(view, autoScalingGroupName, since)) return true;
  const tags = census.tagsSince(autoScalingGroupName, since - heldUpMilliseconds);
  return tags.some((one) => pauseOf(one) !== undefined) || spellsSince(since - heldUpMilliseconds).length > 0;
}
