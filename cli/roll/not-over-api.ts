import { CliError, exitCodes } from '../exit-codes.ts';
import type { BeginFlags } from './flags.ts';

const updatesNoNodegroups = 'the scale API updates no node groups of EKS';

/** The flags that the scale API has no counterpart for, and why. */
const reasons = {
  all: '--all: the scale API takes the names of groups',
  releaseVersion: `--release-version: ${updatesNoNodegroups}`,
  templateVersion: `--template-version: ${updatesNoNodegroups}`,
  force: `--force: ${updatesNoNodegroups}`,
  wait: '--wait reads the Nodes of the cluster',
} as const satisfies Partial<Record<keyof BeginFlags, string>>;

/**
 * Checks the flags of a command that goes through the scale API.
 *
 * @throws CliError `usage` for the first one that the API cannot take.
 */
export function refuseFlags(flags: Partial<Pick<BeginFlags, keyof typeof reasons>>): void {
  for (const [key, why] of Object.entries(reasons))
    if (flags[key as keyof typeof reasons] !== undefined)
      throw new CliError(`${why}: leave out --api and --endpoint`, exitCodes.usage);
}
