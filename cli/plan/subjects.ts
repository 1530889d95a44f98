import { CliError, exitCodes } from '../exit-codes.ts';
import type { PlanFlags } from './flags.ts';
import type { AskedPods } from './report.ts';
import { sizedPods } from './sized-pods.ts';

/**
 * The pods that the flags ask for; undefined for those that are Pending now.
 *
 * @throws CliError `usage` for flags that contradict each other, and for sizes that are not quantities.
 */
export function readSubjects(flags: PlanFlags): readonly AskedPods[] | undefined {
  if (flags.pods !== undefined) return [sizedPods(flags.pods, flags)];
  const size = (['cpu', 'memory', 'gpu'] as const).find((name) => flags[name] !== undefined);
  if (size === undefined) return undefined;
  throw new CliError(`--${size} is the size of each of the --pods: give --pods too`, exitCodes.usage);
}
