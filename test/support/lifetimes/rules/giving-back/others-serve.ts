import type { Resident } from '../../watch/census.ts';
import type { Rule, View } from '../rule.ts';
import { onInformedGiveBack, peersOf } from './give-back.ts';

/** A pass acts moments after it has read the Nodes. */
const passMilliseconds = 60_000;

export const givesBackWhereOthersServe: Rule = {
  name: 'gives-back-where-others-serve',
  sentence: 'A node is given back only where as many others as MinSize are Ready and take pods.',
  onCall: onInformedGiveBack(({ instanceId, autoScalingGroupName }, view) => {
    const { minSize } = view.capacity.boundsOf(autoScalingGroupName);
    const others = peersOf(view, autoScalingGroupName).filter(
      (one) => one.instanceId !== instanceId && one.lifecycleState === 'InService' && mayTakePods(one, view),
    );
    return others.length < minSize
      ? `where ${others.length} others take pods, and MinSize is ${minSize}`
      : undefined;
  }),
};

/** Whether it took pods a moment ago, as far as a pass may know. */
function mayTakePods(
  { nodeName = '', cordonedByHandAt = Infinity }: Resident,
  { world, now }: View,
): boolean {
  const node = world.kubernetes.store.of('nodes').get(undefined, nodeName);
  const ready = node?.status?.conditions?.find(({ type }) => type === 'Ready');
  if (node === undefined || ready === undefined) return false;
  const isLate = (since: number): boolean => since < now - passMilliseconds;
  if (ready.status !== 'True' && isLate(Date.parse(ready.lastTransitionTime ?? ''))) return false;
  return node.spec?.unschedulable !== true || !isLate(cordonedByHandAt);
}
