import { Command } from 'commander';
import { type DrainFlags, drainOptionsOf, withDrainFlags } from '../../../cli/drain/flags.ts';
import { type LookCluster, look } from '../../../cli/drain/look.ts';
import type { DrainPlan, PlannedPod } from '../../../shared/draining/plan-drain.ts';
import type { DrainOptions } from '../../../shared/draining/pod-filters.ts';
import type { Flags } from './flags.ts';
import type { Outcome, Refusal } from './outcome.ts';

/** The plan of `drover drain NODE --dry-run` with these flags. */
export function droverPlan(cluster: LookCluster, nodeName: string, flags: Flags): Promise<DrainPlan> {
  const now = Date.now();
  return look({
    cluster,
    nodeName,
    now,
    since: now,
    options: optionsOf(flags),
    consistency: 'consistent',
    withBudgets: true,
    warn: (message) => {
      throw new Error(message);
    },
  });
}

/** As the command line reads them. */
function optionsOf(flags: Flags): DrainOptions {
  const command = withDrainFlags(new Command()).parse(flags, { from: 'user' });
  return drainOptionsOf(command.opts<DrainFlags>());
}

const refusals: readonly (readonly [RegExp, Refusal])[] = [
  [/^belongs to DaemonSet \S+ \(ignore-daemonsets would leave it\)$/, 'daemon set'],
  [/^its DaemonSet \S+ no longer exists \(force would evict it\)$/, 'daemon set is gone'],
  [/^has emptyDir data \(delete-emptydir-data would lose it\)$/, 'local storage'],
  [/^no controller would recreate it \(force would evict it\)$/, 'no controller'],
];

/** The outcome of a pod according to the plan. */
export function outcomeOf({ verdict, reason, heldBy = [] }: PlannedPod): Outcome {
  switch (verdict) {
    case 'refuse':
      return `refuses: ${refusalOf(reason)}`;
    case 'skip':
      return reason.startsWith('belongs to DaemonSet') ? 'stays: daemon set' : 'stays';
    case 'delete':
      return 'is deleted';
    case 'evict':
      if (heldBy.length > 0) return heldBy.length > 1 ? 'has several budgets' : 'is held by a budget';
      return reason.includes('no controller recreates it')
        ? 'is evicted, without a controller'
        : 'is evicted';
    default:
      return verdict satisfies never;
  }
}

function refusalOf(reason: string): Refusal {
  const known = refusals.find(([pattern]) => pattern.test(reason));
  if (!known) throw new Error(`Drover refuses for a reason of which nothing is known: ${reason}`);
  return known[1];
}
