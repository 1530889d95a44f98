import type { Resident } from '../../watch/census.ts';
import type { Rule } from '../rule.ts';
import { onInformedGiveBack, peersOf, settledMilliseconds } from './give-back.ts';

export const givesBackOneAtATime: Rule = {
  name: 'gives-back-one-at-a-time',
  sentence:
    'A node is given back only while no other instance of its group has long been joining or leaving.',
  onCall: onInformedGiveBack(({ instanceId, autoScalingGroupName }, view) => {
    const passing = peersOf(view, autoScalingGroupName).find(
      (one) => one.instanceId !== instanceId && passesSince(one) <= view.now - settledMilliseconds,
    );
    return passing && `while ${passing.instanceId} is ${passing.lifecycleState}`;
  }),
};

/** Since when an instance is on its way into its group or out of it; never: Infinity. */
function passesSince({ lifecycleState = '', leavingSince, join }: Resident): number {
  // An operator decides about an instance that is retained.
  if (lifecycleState.endsWith(':Retained')) return Infinity;
  if (lifecycleState.startsWith('Terminating')) return leavingSince ?? Infinity;
  return lifecycleState === 'Pending:Wait' ? (join?.since ?? Infinity) : Infinity;
}

export const givesBackAboveFloor: Rule = {
  name: 'gives-back-above-floor',
  sentence:
    'A node is given back only while more instances than MinSize are in service, and only while the desired capacity asks for no launch.',
  onCall: onInformedGiveBack(({ resident: { lifecycleState }, autoScalingGroupName }, view) => {
    if (lifecycleState !== 'InService') return undefined;
    const { minSize, desiredCapacity } = view.capacity.boundsOf(autoScalingGroupName);
    if (desiredCapacity <= minSize) return `and MinSize is ${minSize}`;
    const peers = peersOf(view, autoScalingGroupName);
    const serving = peers.filter((one) => one.lifecycleState === 'InService').length;
    if (serving <= minSize) return `while ${serving} serve, and MinSize is ${minSize}`;
    return undefined;
  }),
};
