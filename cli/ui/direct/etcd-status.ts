import { type AutoScalingGroup, roleOf } from '../../../shared/groups/group.ts';
import { etcdProblems } from '../../../shared/problems/find-problems.ts';
import type { EtcdStatusView } from '../../../ui/state/types.ts';

/** What etcd-membership has written on its groups; undefined if there is no etcd group. Pure. */
export function etcdStatusOf(managed: readonly AutoScalingGroup[]): EtcdStatusView | undefined {
  const problems = managed.flatMap(etcdProblems).map(({ subject, message }) => `${subject}: ${message}`);
  if (problems.length > 0) return { state: 'attention', reason: problems.join('; ') };
  if (!managed.some((group) => roleOf(group) === 'etcd')) return undefined;
  return { state: 'ok', reason: 'Drover has written no problem on the groups of etcd.' };
}
