import type { GrpcFailure } from './failure.ts';
import { failures } from './failure.ts';
import type { MemberRecord } from './quorum.ts';

/** What one member sees when it is asked for a change of membership. */
export interface View {
  readonly members: readonly MemberRecord[];
  /** The member that is asked. */
  readonly self: string;
  /** Whether it has been connected to another without a break for 5 s (`HealthInterval`). */
  readonly isConnectedLong: (id: string) => boolean;
  /** Whether it is connected to another at all. */
  readonly isConnected: (id: string) => boolean;
}

const quorumOf = (count: number): number => Math.floor(count / 2) + 1;
const isStarted = ({ name }: MemberRecord): boolean => name !== '';
const votersOf = ({ members }: View): readonly MemberRecord[] =>
  members.filter(({ isLearner }) => !isLearner);
const connectedLong = (view: View): number =>
  votersOf(view).filter(({ id }) => id === view.self || view.isConnectedLong(id)).length;

/**
 * `--strict-reconfig-check`, which is etcd's default (etcd 3.6.16 `etcdserver/server.go` mayAddMember, mayRemoveMember,
 * mayPromoteMember; `membership/cluster.go` IsReadyTo...). Undefined if it may.
 */
export function mayAdd(view: View, { isLearner }: { readonly isLearner: boolean }): GrpcFailure | undefined {
  const voters = votersOf(view);
  const started = voters.filter(isStarted).length;
  const isFirstGrowth = started === 1 && voters.length === 1;
  if (!isLearner && !isFirstGrowth && started < quorumOf(voters.length + 1)) return failures.notEnoughStarted;
  if (voters.length === 1) return undefined;
  return connectedLong(view) >= quorumOf(voters.length + 1) ? undefined : failures.unhealthy;
}

export function mayRemove(view: View, id: string): GrpcFailure | undefined {
  if (view.members.some((member) => member.id === id && member.isLearner)) return undefined;
  const voters = votersOf(view);
  const others = voters.filter((member) => member.id !== id);
  if (others.filter(isStarted).length < quorumOf(others.length)) return failures.notEnoughStarted;
  if (id !== view.self && !view.isConnected(id)) return undefined;
  return connectedLong(view) - 1 < 1 + Math.floor((voters.length - 1) / 2) ? failures.unhealthy : undefined;
}

/** The leader knows how far each has come: at 90 % of its log a learner is ready (`readyPercentThreshold`). */
export function mayPromote(
  view: View,
  id: string,
  { match, leaderMatch }: { readonly match: number; readonly leaderMatch: number },
): GrpcFailure | undefined {
  if (!view.members.some((member) => member.id === id)) return failures.notFound;
  if (match / leaderMatch < 0.9) return failures.notReady;
  const voters = votersOf(view);
  const started = voters.filter(isStarted).length + 1;
  return started < quorumOf(voters.length + 1) ? failures.notEnoughStarted : undefined;
}
