import { etcdStatusTagKey } from '../../etcd/status-tag.ts';
import type { ManagedGroup } from '../scale-context.ts';
import type { Part } from './part.ts';

export interface EtcdStatus {
  readonly state: 'ok' | 'attention' | 'unknown' | 'off';
  readonly reason: string;
  /** The instances whose members Drover knows, by id; null: unknown. */
  readonly members: readonly string[] | null;
}

/** The problem of etcd that stands on a group: etcd-membership writes it there. */
export const etcdProblemOf = ({ role, tags }: ManagedGroup): string | undefined =>
  role === 'worker' ? undefined : tags[etcdStatusTagKey] || undefined;

/** What Drover has written about etcd; its members are not asked. Pure. */
export function etcdStatus(
  groups: Part<readonly ManagedGroup[]>,
  /** Undefined: the deployment manages no etcd. */
  members: Part<readonly string[]> | undefined,
): EtcdStatus {
  if (members === undefined) return { state: 'off', reason: 'the deployment manages no etcd', members: null };
  const known = members.kind === 'known' ? [...members.value].sort() : null;
  if (groups.kind === 'unknown') {
    const reasons = [groups, members].flatMap((part) => (part.kind === 'unknown' ? [part.reason] : []));
    return { state: 'unknown', reason: reasons.join('; '), members: known };
  }
  const problems = groups.value.flatMap((group) => {
    const problem = etcdProblemOf(group);
    return problem === undefined ? [] : [`${group.autoScalingGroupName}: ${problem}`];
  });
  if (problems.length > 0) return { state: 'attention', reason: problems.join('; '), members: known };
  if (members.kind === 'unknown') return { state: 'unknown', reason: members.reason, members: null };
  const count = members.value.length;
  return count === 0
    ? { state: 'unknown', reason: 'Drover knows no member', members: [] }
    : { state: 'ok', reason: `${count} known, and no problem stands on their groups`, members: known };
}
