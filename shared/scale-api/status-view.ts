import type * as z from 'zod/mini';
import type { ObservedNodes } from '../capacity/observed-nodes.ts';
import type { BootstrapRole } from '../credentials/token-cluster.ts';
import { pauseOf } from '../passes/pause.ts';
import { toleratedSeconds } from '../problems/credential-problems.ts';
import { etcdProblems } from '../problems/find-problems.ts';
import type { Problem } from '../problems/problem.ts';
import type { ScheduledActionLine } from '../problems/scheduled-actions.ts';
import type { Part } from './part.ts';
import { type ObservedPasses, problemView } from './passes.ts';
import type { ManagedGroup } from './scale-context.ts';
import type { status } from './schemas/answers/status.ts';

/** The parts of the status, each read or unknown. */
export interface ObservedStatus {
  readonly groups: Part<readonly ManagedGroup[]>;
  readonly nodes: Part<ObservedNodes>;
  readonly passes: Part<ObservedPasses>;
  readonly credentials: Status['credentials'];
  /** Undefined if they could not be read, or are not read. */
  readonly scheduledActions: readonly ScheduledActionLine[] | undefined;
  /** The problems of all sources, with the most urgent first. */
  readonly problems: readonly Problem[];
  /** Why other sources of problems could not be read. */
  readonly unread: readonly string[];
  /** The sources of problems that the API does not read. */
  readonly notLookedAt: readonly string[];
  readonly etcd: Status['etcd'];
}

type Status = z.infer<typeof status>;

/** The answer of GET /status. Its state follows from all parts: what needs an operator takes precedence over what is unknown. Pure. */
export function viewStatus(clusterName: string, observed: ObservedStatus): Status {
  const { groups, passes, credentials, etcd } = observed;
  const known = groups.kind === 'known' ? groups.value : undefined;
  const seenPasses = passes.kind === 'known' ? passes.value : undefined;
  const problems = observed.problems.map(problemView);
  const unknown = unknownParts(observed);
  const needsOperator =
    problems.length > 0 || [etcd, ...credentials].some(({ state }) => state === 'attention');
  return {
    clusterName,
    state: needsOperator ? 'attention' : unknown.length > 0 ? 'unknown' : 'ok',
    groups: known?.length ?? null,
    pausedGroups:
      known?.filter(({ tags }) => pauseOf(tags)).map(({ autoScalingGroupName }) => autoScalingGroupName) ??
      null,
    instances: known?.reduce((sum, { instances }) => sum + instances.length, 0) ?? null,
    leaving: seenPasses?.leaving.length ?? null,
    joining: seenPasses?.joining.length ?? null,
    clusterAnswers: observed.nodes.kind === 'known' && observed.nodes.value.status === 'seen',
    problems,
    ...(observed.scheduledActions && { scheduledActions: [...observed.scheduledActions] }),
    credentials,
    etcd,
    unknown,
    notLookedAt: [...observed.notLookedAt],
  };
}

/** Returns why parts could not be read. Each reason once: if the groups are unknown, their passes are unknown for the same reason. Pure. */
export function unknownParts({ groups, nodes, passes, credentials, etcd, unread }: ObservedStatus): string[] {
  const reasons = [
    ...reasonsOf(groups),
    ...reasonsOf(nodes),
    ...(nodes.kind === 'known' && nodes.value.status === 'unknown' ? [nodes.value.reason] : []),
    ...reasonsOf(passes),
    ...(passes.kind === 'known' ? passes.value.unknown : []),
    ...[etcd, ...credentials].flatMap(({ state, reason }) => (state === 'unknown' ? [reason] : [])),
    ...unread,
  ];
  return [...new Set(reasons)];
}

const reasonsOf = (part: Part<unknown>): readonly string[] => (part.kind === 'unknown' ? [part.reason] : []);

/** The settings of the deployment for bootstrap credentials. */
export interface CredentialSettings {
  /** The parameter in which the credential of each role is published. */
  readonly parameters: readonly { readonly role: BootstrapRole; readonly parameterName: string }[];
  readonly rotationSeconds: number;
}

/** How old the published credential of each role is, and whether its replacement is overdue. Times are epoch milliseconds. Pure. */
export const credentialStatuses = (
  { parameters, rotationSeconds }: CredentialSettings,
  publishedAt: Part<ReadonlyMap<string, number>>,
  now: number,
): Status['credentials'] =>
  parameters.map((parameter): Status['credentials'][number] => {
    const nothing = { ...parameter, publishedAt: null, ageSeconds: null };
    if (publishedAt.kind === 'unknown') return { ...nothing, state: 'unknown', reason: publishedAt.reason };
    const at = publishedAt.value.get(parameter.parameterName);
    if (at === undefined)
      return { ...nothing, state: 'attention', reason: 'none is published: new nodes cannot join with it' };
    const ageSeconds = Math.max(0, Math.floor((now - at) / 1000));
    const isOverdue = ageSeconds > rotationSeconds + toleratedSeconds;
    return {
      ...parameter,
      state: isOverdue ? 'attention' : 'ok',
      reason: `published ${ageSeconds} s ago, rotated every ${rotationSeconds} s${isOverdue ? ': overdue' : ''}`,
      publishedAt: new Date(at).toISOString(),
      ageSeconds,
    };
  });

/** What Drover has written about etcd. Its members are not contacted. Pure. */
export function etcdStatus(
  groups: Part<readonly ManagedGroup[]>,
  /** Undefined if the deployment manages no etcd. */
  members: Part<readonly string[]> | undefined,
): Status['etcd'] {
  if (members === undefined) return { state: 'off', reason: 'the deployment manages no etcd', members: null };
  const known = members.kind === 'known' ? [...members.value].sort() : null;
  if (groups.kind === 'unknown') {
    const reasons = [groups, members].flatMap((part) => (part.kind === 'unknown' ? [part.reason] : []));
    return { state: 'unknown', reason: reasons.join('; '), members: known };
  }
  const problems = groups.value.flatMap(etcdProblems).map(({ subject, message }) => `${subject}: ${message}`);
  if (problems.length > 0) return { state: 'attention', reason: problems.join('; '), members: known };
  if (members.kind === 'unknown') return { state: 'unknown', reason: members.reason, members: null };
  const count = members.value.length;
  return count === 0
    ? { state: 'unknown', reason: 'Drover knows no member', members: [] }
    : { state: 'ok', reason: `${count} known, and their groups report no problem`, members: known };
}
