import { workloadPods } from '../facts.ts';
import type { Rule } from '../rule.ts';
import { onGiveBack } from './give-back.ts';

/** Five minutes, less what the clocks of the cluster and of the function may be apart. */
const readyMilliseconds = 300_000 - 91_000;

export const givesBackEmpty: Rule = {
  name: 'gives-back-empty',
  sentence: 'A node is given back only cordoned, and only while no pod of a workload is on it.',
  onCall: onGiveBack(({ resident: { nodeName = '', nodeDeletedByHand } }, view) => {
    const node = view.world.kubernetes.store.of('nodes').get(undefined, nodeName);
    if (node === undefined || nodeDeletedByHand) return undefined;
    if (node.spec?.unschedulable !== true) return 'and its Node is not cordoned';
    const pods = workloadPods(view, nodeName);
    return pods.length === 0 ? undefined : `with ${pods.map(({ metadata }) => metadata?.name).join(', ')}`;
  }),
};

export const givesBackSettled: Rule = {
  name: 'gives-back-settled',
  sentence:
    'A node is given back only once it has been Ready for minutes: pods that it was launched for may be on their way.',
  onCall: onGiveBack(({ resident: { nodeName = '' } }, { world, now }) => {
    const conditions = world.kubernetes.store.of('nodes').get(undefined, nodeName)?.status?.conditions ?? [];
    const ready = conditions.find(({ type }) => type === 'Ready');
    const since = Date.parse(ready?.lastTransitionTime ?? '');
    return ready?.status === 'True' && now - since < readyMilliseconds
      ? `${Math.round((now - since) / 1000)} s after its Node became Ready`
      : undefined;
  }),
};
