import type * as z from 'zod/mini';
import { pauseOf } from '../../passes/pause.ts';
import type { status } from '../schemas/answers/status.ts';
import type { ObservedStatus } from './observe.ts';
import type { Part } from './part.ts';

type Status = z.infer<typeof status>;

/** The answer of GET /status. One word follows from all parts: what needs a person comes before what is unknown. Pure. */
export function viewStatus(clusterName: string, observed: ObservedStatus): Status {
  const { groups, passes, credentials, etcd } = observed;
  const known = groups.kind === 'known' ? groups.value : undefined;
  const seenPasses = passes.kind === 'known' ? passes.value : undefined;
  const problems = [...(seenPasses?.problems ?? [])];
  const unknown = unknownParts(observed);
  const needsPerson =
    problems.length > 0 || [etcd, ...credentials].some(({ state }) => state === 'attention');
  return {
    clusterName,
    state: needsPerson ? 'attention' : unknown.length > 0 ? 'unknown' : 'ok',
    groups: known?.length ?? null,
    pausedGroups:
      known?.filter(({ tags }) => pauseOf(tags)).map(({ autoScalingGroupName }) => autoScalingGroupName) ??
      null,
    instances: known?.reduce((sum, { instances }) => sum + instances.length, 0) ?? null,
    leaving: seenPasses?.leaving.length ?? null,
    joining: seenPasses?.joining.length ?? null,
    clusterAnswers: observed.nodes.kind === 'known' && observed.nodes.value.status === 'seen',
    problems,
    credentials: [...credentials],
    etcd: { ...etcd, members: etcd.members && [...etcd.members] },
    unknown,
  };
}

/** Each reason once: what is unknown of groups is unknown of their passes. */
function unknownParts({ groups, nodes, passes, credentials, etcd }: ObservedStatus): string[] {
  const reasons = [
    ...reasonsOf(groups),
    ...reasonsOf(nodes),
    ...(nodes.kind === 'known' && nodes.value.status === 'unknown' ? [nodes.value.reason] : []),
    ...reasonsOf(passes),
    ...[etcd, ...credentials].flatMap(({ state, reason }) => (state === 'unknown' ? [reason] : [])),
  ];
  return [...new Set(reasons)];
}

const reasonsOf = (part: Part<unknown>): readonly string[] => (part.kind === 'unknown' ? [part.reason] : []);
