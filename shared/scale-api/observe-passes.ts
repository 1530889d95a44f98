import type { Groups } from '../capacity/groups.ts';
import { findLeavingInstances } from '../capacity/leaving-instances.ts';
import { type LeavingProblem, leavingProblems } from '../capacity/leaving-problems.ts';
import type { ObservedNodes } from '../capacity/observed-nodes.ts';
import {
  bySince,
  type JoiningLine,
  joiningLines,
  type LeavingLine,
  leavingLine,
} from '../capacity/pass-lines.ts';
import type { LifecycleHook } from '../groups/group.ts';
import { isPendingWait, isTerminatingWait } from '../groups/lifecycle-state.ts';
import type { ManagedGroup, ScaleContext } from './scale-context.ts';
import { etcdProblemOf } from './status/etcd.ts';

/** What needs a person. */
export type PassProblem =
  | LeavingProblem
  | { readonly kind: 'etcd'; readonly subject: string; readonly message: string };

export interface ObservedPasses {
  readonly leaving: readonly LeavingLine[];
  readonly joining: readonly JoiningLine[];
  readonly problems: readonly PassProblem[];
}

/** What leaves and joins now, from what `drover status` reads too: the groups, and the marks on their Nodes. */
export async function observePasses(
  context: ScaleContext,
  groups: readonly ManagedGroup[],
  nodes: ObservedNodes,
): Promise<ObservedPasses> {
  const { leavingHookName, joiningHookName } = context;
  const hooks = await hooksOfWaiting(context, groups);
  const leaving = findLeavingInstances({ groups, hooks, nodes: markedNodes(nodes), leavingHookName });
  const seen = { at: context.now(), sawGroups: true };
  return {
    leaving: leaving.map(leavingLine).sort(bySince),
    joining: groups.flatMap((group) => joiningLines(group, { hooks, joiningHookName })),
    problems: [...leaving.flatMap((instance) => leavingProblems(instance, seen)), ...etcdProblems(groups)],
  };
}

/** The hooks of a group cost a call. Only what waits on hooks needs them. */
async function hooksOfWaiting(
  { groups: { describeHooks } }: { readonly groups: Pick<Groups, 'describeHooks'> },
  groups: readonly ManagedGroup[],
): Promise<ReadonlyMap<string, readonly LifecycleHook[]>> {
  const waiting = groups.filter(({ instances }) =>
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

/** etcd-membership writes the problem of etcd on its groups. */
const etcdProblems = (groups: readonly ManagedGroup[]): readonly PassProblem[] =>
  groups.flatMap((group) => {
    const message = etcdProblemOf(group);
    return message ? [{ kind: 'etcd' as const, subject: group.autoScalingGroupName, message }] : [];
  });
