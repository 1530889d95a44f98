import type { ObservedWait } from './observe.ts';
import { effectOf } from './waits.ts';

/** What `drover release` does with one instance that waits. */
export interface PlannedRelease extends ObservedWait {
  /**
   * - `complete`: Drover's hooks are completed with CONTINUE;
   * - `needs-word`: it is a member of etcd, and `--etcd-members` is not given;
   * - `foreign`: no hook of Drover can hold it.
   */
  readonly kind: 'complete' | 'needs-word' | 'foreign';
  readonly effect: string;
  /** What is lost or may break, a sentence each. */
  readonly risks: readonly string[];
}

/** What is done with each wait, and what that risks. Pure. */
export const planRelease = (
  waits: readonly ObservedWait[],
  { etcdMembers }: { readonly etcdMembers: boolean },
): readonly PlannedRelease[] =>
  waits.map((observed) => {
    const { wait } = observed;
    if (wait.hooks.length === 0)
      return { ...observed, kind: 'foreign', effect: foreignWords(observed), risks: [] };
    const kind = wait.isEtcdMember && !etcdMembers ? 'needs-word' : 'complete';
    return {
      ...observed,
      kind,
      effect: effectOf(wait),
      risks: [...etcdRisk(observed), ...podRisk(observed)],
    };
  });

const foreignWords = ({ wait }: ObservedWait): string =>
  wait.otherHooks.length === 0
    ? 'the group has no hook that could hold it: the wait ends by itself'
    : `it waits on a hook that is not Drover’s: ${wait.otherHooks.join(', ')}`;

function etcdRisk({ wait }: ObservedWait): readonly string[] {
  if (!wait.isEtcdMember) return [];
  return wait.transition === 'launching'
    ? ['it may not be a member of etcd yet: the group then counts an instance that does not vote']
    : [
        'its member stays in etcd and counts for the quorum until it is removed by hand: drover etcd status shows how many may be lost',
      ];
}

/** How many pods a sentence names. */
const mostNames = 5;

function podRisk({ wait, nodes, pods }: ObservedWait): readonly string[] {
  if (wait.transition === 'launching') return [];
  if (pods === undefined)
    return [
      'which pods run there is unknown; they end with the instance, without eviction, whatever their budgets',
    ];
  if (pods.length === 0) return nodes?.length === 0 ? ['it has no Node'] : [];
  const names = pods.slice(0, mostNames).map(({ namespace, name, heldBy }) => {
    const budgets = heldBy.length > 0 ? ` (held by ${heldBy.join(', ')})` : '';
    return `${namespace}/${name}${budgets}`;
  });
  const more = pods.length > mostNames ? ` and ${pods.length - mostNames} more` : '';
  return [
    `${pods.length === 1 ? '1 pod ends' : `${pods.length} pods end`} with the instance, without eviction, whatever their budgets: ${names.join(', ')}${more}`,
  ];
}
