import {
  type Criterion,
  defaultBounds,
  type Roll,
  type RollBounds,
  rollNamePattern,
} from '../../shared/roll/roll.ts';
import { parseWindow } from '../../shared/roll/window.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import type { BeginFlags } from './flags.ts';

/**
 * The roll that the flags ask for, apart from its groups.
 *
 * @throws CliError `usage` for a name, a window or criteria that are not possible.
 */
export function wantedRoll(
  flags: BeginFlags,
): Omit<Roll, 'name' | 'groups' | 'startedAt' | 'wanted'> & { readonly name?: string } {
  const { name } = flags;
  if (name !== undefined && !rollNamePattern.test(name))
    throw new CliError(
      '--name: write letters, digits, dots, dashes and underscores, at most 63, with a letter or digit at both ends',
      exitCodes.usage,
    );
  return {
    ...(name !== undefined && { name }),
    criterion: criterionOf(flags),
    ...boundsOf(flags),
    skipBlocked: flags.skipBlocked === true,
  };
}

/** @throws CliError `usage` for more than one criterion. */
function criterionOf(flags: BeginFlags): Criterion {
  const { changed, everything, olderThan, below, instance } = flags;
  const given: readonly Criterion[] = [
    ...(changed ? [{ kind: 'changed' } as const] : []),
    ...(everything ? [{ kind: 'all' } as const] : []),
    ...(olderThan === undefined ? [] : [{ kind: 'older-than', seconds: olderThan } as const]),
    ...(below === undefined ? [] : [{ kind: 'below', kubeletVersion: below } as const]),
    ...(instance === undefined ? [] : [{ kind: 'named', instanceIds: [...new Set(instance)] } as const]),
  ];
  const [first, ...others] = given;
  if (others.length > 0)
    throw new CliError(
      'give one of --changed, --older-than, --below, --instance and --everything',
      exitCodes.usage,
    );
  return first ?? { kind: 'changed' };
}

/** @throws CliError `usage` for a window that cannot be read. */
function boundsOf(flags: BeginFlags): RollBounds {
  const { window } = flags;
  const reading = window === undefined ? undefined : parseWindow(window);
  if (reading?.kind === 'invalid') throw new CliError(`--window: ${reading.why}`, exitCodes.usage);
  return {
    surge: flags.surge ?? defaultBounds.surge,
    maxUnavailable: flags.maxUnavailable ?? defaultBounds.maxUnavailable,
    canary: flags.canary ?? defaultBounds.canary,
    bakeSeconds: flags.bake ?? defaultBounds.bakeSeconds,
    stopOn: flags.stopOn ?? [],
    ...(window !== undefined && { window }),
    annotationTimeoutSeconds: flags.annotationTimeout ?? defaultBounds.annotationTimeoutSeconds,
  };
}
