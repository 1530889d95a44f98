import { type AutoScalingGroup, roleOf } from '../../../shared/groups/group.ts';
import { etcdProblemOf } from '../../../shared/scale-api/status-view.ts';
import type { EtcdStatusView } from '../../../ui/state/types.ts';

/** What etcd-membership has written on its groups; undefined if there is no etcd group. Pure. */
export function etcdStatusOf(managed: readonly AutoScalingGroup[]): EtcdStatusView | undefined {
  const problems = managed.flatMap((group) => {
    const role = roleOf(group);
    const problem = role && etcdProblemOf({ ...group, role });
    return problem === undefined ? [] : [`${group.autoScalingGroupName}: ${problem}`];
  });
  if (problems.length > 0) return { state: 'attention', reason: problems.join('; ') };
  if (!managed.some((group) => roleOf(group) === 'etcd')) return undefined;
  return { state: 'ok', reason: 'Drover has written no problem on the groups of etcd.' };
}
