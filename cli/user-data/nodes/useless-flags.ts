import type { NodeFlags } from './flags.ts';
import type { NodeSettings } from './settings.ts';

/** Flags that are given and would do nothing here: a person who gives one expects something else than what would be printed. Pure. */
export function uselessFlags(flags: NodeFlags, { credential, init, role }: NodeSettings): readonly string[] {
  const problems: Readonly<Record<string, boolean>> = {
    '--parameter is refused: the node joins with IAM, and reads no parameter':
      flags.parameter !== undefined && credential === 'iam',
    '--parameter is refused: a cluster that is founded with --init has published no credential yet':
      flags.parameter !== undefined && init,
    '--parameter-prefix is refused: only control planes read certificates':
      flags.parameterPrefix !== undefined && role === 'worker',
    '--prefix-delegation belongs to --instance-type':
      flags.prefixDelegation === true && flags.instanceType === undefined,
    'give --launch-template or --new-version-of, not both':
      flags.launchTemplate !== undefined && flags.newVersionOf !== undefined,
    'give --max-pods or --instance-type, not both':
      flags.maxPods !== undefined && flags.instanceType !== undefined,
    '--dry-run belongs to --new-version-of: printing changes nothing':
      flags.dryRun === true && flags.newVersionOf === undefined,
  };
  return Object.keys(problems).filter((problem) => problems[problem]);
}
