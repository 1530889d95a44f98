import type { LifecycleHook } from '../../../../shared/groups/group.ts';
import { type HookNames, namesOfHooks } from '../../../../shared/problems/hook-problems.ts';
import type { MigrationWishes, NthObservation, QueueRule } from '../observation.ts';
import type { Ownership } from '../settings/critical.ts';

export interface FoundHooks {
  readonly hooks: readonly LifecycleHook[];
  /** Hooks of one transition, of which only some may be the handler's. */
  readonly unclear: readonly LifecycleHook[];
}

type Transition = LifecycleHook['transition'];

const detailTypes: Readonly<Record<Transition, string>> = {
  launching: 'EC2 Instance-launch Lifecycle Action',
  terminating: 'EC2 Instance-terminate Lifecycle Action',
};

/**
 * The hooks of a group that the handler completes. It completes each whose events its queue gets, so that a hook is its own if it notifies the
 * queue, or if it notifies nothing and a rule brings its events. If there are several of one transition, only you know whose they are. Pure.
 */
export function nthHooksOf(
  hooks: readonly LifecycleHook[],
  {
    names,
    ownership,
    queueArn,
    rules,
  }: Pick<NthObservation, 'queueArn' | 'rules'> & {
    readonly names: HookNames;
    readonly ownership: Ownership;
  },
  wishes: Pick<MigrationWishes, 'hooks'>,
): FoundHooks {
  // A pod on each node completes no hook.
  if (ownership.kind === 'nodes') return { hooks: [], unclear: [] };
  const foreign = hooks.filter(({ lifecycleHookName }) => !namesOfHooks(names).includes(lifecycleHookName));
  if (wishes.hooks.length > 0)
    return {
      hooks: foreign.filter(({ lifecycleHookName }) => wishes.hooks.includes(lifecycleHookName)),
      unclear: [],
    };
  const found = (['terminating', 'launching'] as const).map((transition) =>
    ofTransition(
      foreign.filter((hook) => hook.transition === transition),
      queueArn,
      { heard: isHeard(rules, transition), isElsewhere: isHeardElsewhere(rules) },
    ),
  );
  return {
    hooks: found.flatMap((one) => one.hooks),
    unclear: found.flatMap((one) => one.unclear),
  };
}

function ofTransition(
  hooks: readonly LifecycleHook[],
  queueArn: string | undefined,
  { heard, isElsewhere }: { readonly heard: boolean; readonly isElsewhere: boolean },
): FoundHooks {
  const notifying = hooks.filter(
    ({ notificationTarget }) => notificationTarget !== undefined && notificationTarget === queueArn,
  );
  const silent = heard ? hooks.filter(({ notificationTarget }) => notificationTarget === undefined) : [];
  const candidates = [...notifying, ...silent];
  const isClear = silent.length === 0 || (candidates.length === 1 && !isElsewhere);
  return isClear ? { hooks: candidates, unclear: [] } : { hooks: [], unclear: candidates };
}

/** Whether rules bring the events of such hooks to the queue. If the rules are not known, they may. */
export const isHeard = (rules: readonly QueueRule[] | undefined, transition: Transition): boolean =>
  rules === undefined || isHeardElsewhere(rules) || takes(rules, detailTypes[transition]);

/** Its events come some other way: from rules of another region or account, another bus, or a topic. */
export const isHeardElsewhere = (rules: readonly QueueRule[] | undefined): boolean => rules?.length === 0;

const takes = (rules: readonly QueueRule[], detailType: string): boolean =>
  rules.some((rule) => rule.detailTypes?.includes(detailType) ?? true);

/** Whether rebalance recommendations make a node leave: in queue mode each event does. Undefined if the rules are not known. */
export const drainsOnRebalance = (rules: readonly QueueRule[] | undefined): boolean | undefined =>
  rules && takes(rules, 'EC2 Instance Rebalance Recommendation');
