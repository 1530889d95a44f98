import type { Dice } from './dice.ts';
import type { PlannedGroup } from './groups.ts';
import type { Step } from './history.ts';

/** Most groups that Drover manages get a launch hook, where their kubelets join under a name that AWS knows. */
export const withLaunchHooks = (dice: Dice, groups: readonly PlannedGroup[]): readonly PlannedGroup[] =>
  groups.map((group) => {
    const isDrawn = dice.chance(0.7);
    const launchHook = {
      heartbeatTimeoutSeconds: dice.pick([30, 60, 120, 300, 900]),
      readyDelaySeconds: dice.pick([1, 1, 20, 60, 150]),
    };
    const tags = {
      ...group.tags,
      ...dice.maybe(0.6, () => ({ 'drover.dev/join-timeout': dice.pick(['1m', '2m', '5m']) })),
      ...dice.maybe(0.4, () => ({ 'drover.dev/on-join-failure': dice.pick(['hold', 'ABANDON']) })),
      ...dice.maybe(0.3, () => ({ 'drover.dev/apply-node-template': 'true', [templateLabel]: 'workers' })),
    };
    const canAsk = group.managed && group.joins && group.nodeNames !== 'own';
    return isDrawn && canAsk ? { ...group, launchHook, tags } : group;
  });

const templateLabel = 'k8s.io/cluster-autoscaler/node-template/label/pool';

/** Groups with a launch hook grow now and then, and strangers request certificates. Both also happen during faults. */
export function planJoins(
  dice: Dice,
  { groups, seconds }: { readonly groups: readonly PlannedGroup[]; readonly seconds: number },
): readonly Step[] {
  const stepOf = ({ autoScalingGroupName }: PlannedGroup) => ({
    at: dice.integer(0, seconds),
    autoScalingGroupName,
    which: dice.next(),
  });
  const growths = groups.flatMap((group) =>
    Array.from({ length: group.launchHook ? dice.integer(0, 3) : 0 }, () => ({
      kind: 'scale' as const,
      by: dice.integer(1, 3),
      ...stepOf(group),
    })),
  );
  const strangers = Array.from({ length: dice.integer(0, 3) }, () => ({
    kind: 'stranger-asks' as const,
    forName: dice.pick(['serving', 'gone', 'foreign'] as const),
    ...stepOf(dice.pick(groups)),
  }));
  return [...growths, ...strangers];
}
