import type { TimerClock } from '../../shared/base/clock.ts';
import { failuresOf, type ItemFailure, sideBySide, valuesOf } from '../../shared/base/side-by-side.ts';
import { type AutoScalingGroup, clusterTag, type LifecycleHook } from '../../shared/groups/group.ts';
import { foreignHookProblems, type HookNames } from '../../shared/problems/hook-problems.ts';
import type { FoundProblem } from '../../shared/problems/problem.ts';

/** A page of all groups of the account and region. */
export interface GroupsPage {
  readonly groups: readonly AutoScalingGroup[];
  readonly nextToken: string | undefined;
}

export interface ForeignHooksContext {
  readonly readPage: (nextToken: string | undefined) => Promise<GroupsPage>;
  readonly describeHooks: (autoScalingGroupName: string) => Promise<readonly LifecycleHook[]>;
  /** The instances that are Nodes of the cluster. */
  readonly readNodeInstanceIds: () => Promise<ReadonlySet<string>>;
  readonly names: HookNames;
  readonly clock: TimerClock;
}

/** Hooks of Drover on groups without the tag of any cluster. */
export interface ForeignHooks {
  readonly problems: readonly FoundProblem[];
  /** How many groups were not read, because each costs a call. */
  readonly beyondLimit: number;
  /** What could not be read. */
  readonly failures: readonly ItemFailure[];
}

/** Each group costs a call, and Auto Scaling limits the calls of the whole account. */
const maximumGroups = 50;
const atOnce = 5;
const eachMilliseconds = 15_000;
const togetherMilliseconds = 60_000;

/**
 * Looks for hooks of Drover on groups that have lost the tag of their cluster, which are not listed with the groups of a cluster. A group
 * with the tag of another cluster belongs to that one. A group that cannot be read stops no other.
 */
export async function readForeignHooks(
  context: ForeignHooksContext,
  /** The names of groups that were read elsewhere. */
  known: ReadonlySet<string>,
): Promise<ForeignHooks> {
  const { describeHooks, readNodeInstanceIds, names, clock } = context;
  const [listed, [nodes]] = await Promise.all([
    allGroups(context),
    Promise.allSettled([readNodeInstanceIds()]),
  ]);
  const untagged = listed.groups.filter(
    ({ autoScalingGroupName, tags }) =>
      !known.has(autoScalingGroupName) && !Object.keys(tags).some((key) => key.startsWith(clusterTag(''))),
  );
  const read = untagged.slice(0, maximumGroups);
  const results = await sideBySide(read, ({ autoScalingGroupName }) => describeHooks(autoScalingGroupName), {
    clock,
    atOnce,
    eachMilliseconds,
    togetherMilliseconds,
  });
  const nodeInstanceIds = nodes.status === 'fulfilled' ? nodes.value : undefined;
  return {
    problems: [...valuesOf(results)].flatMap(([group, hooks]) =>
      foreignHookProblems({ group, hooks, nodeInstanceIds }, names),
    ),
    beyondLimit: untagged.length - read.length,
    failures: [
      ...listed.failures,
      ...failuresOf(results, ({ autoScalingGroupName }) => `the hooks of group ${autoScalingGroupName}`),
    ],
  };
}

/** The groups of all pages up to one that cannot be read. */
export async function allGroups({ readPage }: Pick<ForeignHooksContext, 'readPage'>): Promise<{
  readonly groups: readonly AutoScalingGroup[];
  readonly failures: readonly ItemFailure[];
}> {
  const groups: AutoScalingGroup[] = [];
  let nextToken: string | undefined;
  try {
    do {
      const page = await readPage(nextToken);
      groups.push(...page.groups);
      nextToken = page.nextToken;
    } while (nextToken);
  } catch (error) {
    return { groups, failures: [{ item: 'the list of all groups', error }] };
  }
  return { groups, failures: [] };
}
