import type * as z from 'zod/mini';
import type { Groups } from '../capacity/groups.ts';
import { findLeavingInstances } from '../capacity/leaving-instances.ts';
import type { ObservedNodes } from '../capacity/observed-nodes.ts';
import {
  bySince,
  type JoiningLine,
  joiningLines,
  type LeavingLine,
  leavingLine,
  poolLines,
} from '../capacity/pass-lines.ts';
import type { LifecycleHook } from '../groups/group.ts';
import { isPendingWait, isTerminatingWait } from '../groups/lifecycle-state.ts';
import type { WarmPoolWait } from '../groups/warm-pool.ts';
import { findProblems } from '../problems/find-problems.ts';
import { type ClusterNodes, type ProblemObservation, type Source, valueOf } from '../problems/observation.ts';
import type { Problem } from '../problems/problem.ts';
import { type HttpResult, json } from './http-call.ts';
import { type Part, readPart } from './part.ts';
import {
  listTaggedGroups,
  type ManagedGroup,
  readNodes,
  type StatusContext,
  type TaggedGroups,
} from './scale-context.ts';
import type { passList, passProblem } from './schemas/answers/status.ts';

/** What joins and leaves now. */
export async function listPasses(context: StatusContext): Promise<HttpResult> {
  const [groups, nodes] = await Promise.all([listTaggedGroups(context), readNodes(context)]);
  const { leaving, joining, observation, unknown } = await observePasses(context, groups, nodes);
  const body: z.infer<typeof passList> = {
    leaving: [...leaving],
    joining: [...joining],
    problems: problemsIn(observation).map(problemView),
    clusterAnswers: nodes.status === 'seen',
    ...(unknown.length > 0 && { unknown: [...unknown] }),
  };
  return json(200, body);
}

/** What an operator has to look at. */
type PassProblem = z.infer<typeof passProblem>;

export interface ObservedPasses {
  readonly leaving: readonly LeavingLine[];
  readonly joining: readonly JoiningLine[];
  /** What the problems are found in. */
  readonly observation: ProblemObservation;
  /** What could not be read, with the reasons. */
  readonly unknown: readonly string[];
}

/** Less than what a whole answer may take. */
const warmPoolSeconds = 8;

/** What joins and leaves now, from the sources of `drover status`: the groups, and the marks on their Nodes. A warm pool that cannot be read hides only its own waits. */
export async function observePasses(
  context: StatusContext,
  { managed: groups, others }: TaggedGroups,
  nodes: ObservedNodes,
): Promise<ObservedPasses> {
  const { leavingHookName, joiningHookName } = context;
  const pools = await readPart(context, {
    what: 'the warm pools',
    seconds: warmPoolSeconds,
    read: () => context.groups.readWarmPoolWaits(groups),
  });
  const warmWaits = pools.kind === 'known' ? pools.value : [];
  const hooks = await hooksOfWaiting(context, groups, warmWaits);
  const leaving = findLeavingInstances({ groups, hooks, nodes: markedNodes(nodes), leavingHookName });
  return {
    leaving: leaving.map(leavingLine).sort(bySince),
    joining: [
      ...groups.flatMap((group) => joiningLines(group, { hooks, joiningHookName })),
      ...poolLines({ warmWaits, hooks, joiningHookName }),
    ],
    observation: observationOf(context, { nodes, groups: { managed: groups, others }, hooks, pools }),
    unknown: pools.kind === 'unknown' ? [pools.reason] : [],
  };
}

/** Reading the hooks of a group costs a call, so they are read only if one of its instances waits on a hook. */
async function hooksOfWaiting(
  { groups: { describeHooks } }: { readonly groups: Pick<Groups, 'describeHooks'> },
  groups: readonly ManagedGroup[],
  warmWaits: readonly WarmPoolWait[],
): Promise<ReadonlyMap<string, readonly LifecycleHook[]>> {
  const withWarmWaits = new Set(warmWaits.map(({ autoScalingGroupName }) => autoScalingGroupName));
  const waiting = groups.filter(
    ({ autoScalingGroupName, instances }) =>
      withWarmWaits.has(autoScalingGroupName) ||
      instances.some((instance) => isTerminatingWait(instance) || isPendingWait(instance)),
  );
  return new Map(
    await Promise.all(
      waiting.map(async ({ autoScalingGroupName: name }) => [name, await describeHooks(name)] as const),
    ),
  );
}

const markedNodes = (nodes: ObservedNodes) =>
  nodes.status === 'unknown'
    ? []
    : [...nodes.byInstance.values()].flatMap(({ name, leaving }) =>
        leaving ? [{ name, mark: leaving }] : [],
      );

interface WaitsSeen {
  readonly nodes: ObservedNodes;
  readonly groups: TaggedGroups;
  readonly hooks: ReadonlyMap<string, readonly LifecycleHook[]>;
  readonly pools: Part<readonly WarmPoolWait[]>;
}

/** What was read. The groups without the tag of the cluster are not among it. */
function observationOf(
  context: StatusContext,
  { nodes, groups, hooks, pools }: WaitsSeen,
): ProblemObservation {
  const { clusterName, leavingHookName, joiningHookName, etcdHookName, etcdLaunchHookName, now } = context;
  const names = { clusterName, leavingHookName, joiningHookName, etcdHookName, etcdLaunchHookName };
  return {
    at: now(),
    groups: { kind: 'known', value: { ...names, ...groups, hooks } },
    nodes: sourceOf(nodes),
    warmWaits: pools,
  };
}

const sourceOf = (nodes: ObservedNodes): Source<ClusterNodes> =>
  nodes.status === 'seen'
    ? {
        kind: 'known',
        value: { marked: markedNodes(nodes), instanceIds: new Set(nodes.byInstance.keys()) },
      }
    : { kind: 'unknown', reason: nodes.reason };

/** The Nodes as problems need them; undefined if they are unknown. Pure. */
export const clusterNodesOf = (nodes: ObservedNodes): ClusterNodes | undefined => valueOf(sourceOf(nodes));

/**
 * What needs an operator, the most urgent first. Hooks are read only of groups with a wait: what is wrong with the hooks of a group would
 * come and go with its waits. Pure.
 */
export const problemsIn = (observation: ProblemObservation): readonly Problem[] =>
  findProblems(observation).filter(({ kind }) => kind !== 'hook');

/** A problem as callers read it. Pure. */
export const problemView = ({
  kind,
  subject,
  message,
  severity,
  since,
  command,
  alarm,
}: Problem): PassProblem => ({
  kind,
  subject,
  message,
  severity,
  since,
  ...(command !== null && { command }),
  alarm,
});
