import { shellWord } from '../../../shared/base/shell-words.ts';
import { type AutoScalingGroup, type EksNodegroup, eksNodegroupOf } from '../../../shared/groups/group.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import type { BeginFlags } from '../flags.ts';

/** A managed node group of EKS, which EKS itself rolls. */
export interface ChosenNodegroup extends EksNodegroup {
  readonly group: AutoScalingGroup;
}

export interface Chosen {
  /** The groups that Drover rolls; none if there is a node group. */
  readonly groups: readonly AutoScalingGroup[];
  readonly nodegroup?: ChosenNodegroup;
  readonly warnings: readonly string[];
}

/** What only Drover's own roll knows. EKS's update has no counterpart, or one that would change the node group for good (`updateConfig`). */
const ofDroversRoll = [
  ['everything', '--everything'],
  ['olderThan', '--older-than'],
  ['below', '--below'],
  ['instance', '--instance'],
  ['name', '--name'],
  ['surge', '--surge'],
  ['maxUnavailable', '--max-unavailable'],
  ['canary', '--canary'],
  ['bake', '--bake'],
  ['stopOn', '--stop-on'],
  ['window', '--window'],
  ['annotationTimeout', '--annotation-timeout'],
  ['skipBlocked', '--skip-blocked'],
] as const;

/** What only EKS's update knows. */
const ofNodegroups = [
  ['releaseVersion', '--release-version'],
  ['templateVersion', '--template-version'],
  ['force', '--force'],
] as const;

/**
 * Separates a node group of EKS from the groups that Drover rolls. EKS updates node groups side by side, so each takes a command of its own.
 * `--all` leaves them out, with a warning. Pure.
 *
 * @throws CliError `usage` for flags that cannot apply, and for a node group beside other groups; `failed` if `--all` leaves nothing.
 */
export function chooseNodegroup(chosen: readonly AutoScalingGroup[], flags: BeginFlags): Chosen {
  const nodegroups = chosen.flatMap((group): ChosenNodegroup | [] => {
    const found = eksNodegroupOf(group);
    return found ? { ...found, group } : [];
  });
  const [nodegroup] = nodegroups;
  if (nodegroup === undefined || flags.all) {
    refuse(ofNodegroups, flags, 'applies only to a managed node group of EKS');
    const groups = chosen.filter((group) => eksNodegroupOf(group) === undefined);
    const warnings = nodegroups.map(
      ({ group: { autoScalingGroupName: name } }) =>
        `${name} is left out: EKS updates its nodes (drover roll ${shellWord(name)})`,
    );
    if (nodegroup !== undefined && groups.length === 0)
      throw new CliError(`EKS manages all groups: ${warnings.join('; ')}`, exitCodes.failed);
    return { groups, warnings };
  }
  const name = nodegroup.group.autoScalingGroupName;
  if (chosen.length > 1)
    throw new CliError(
      `EKS manages ${name} and updates it by itself: roll it in a command of its own`,
      exitCodes.usage,
    );
  refuse(
    ofDroversRoll,
    flags,
    `does not apply to ${name}: EKS manages it, and its update has no such setting`,
  );
  return { groups: [], nodegroup, warnings: [] };
}

function refuse(
  known: readonly (readonly [keyof BeginFlags, string])[],
  flags: BeginFlags,
  why: string,
): void {
  const given = known.flatMap(([key, flag]) => (flags[key] === undefined ? [] : flag));
  if (given.length > 0) throw new CliError(`${given.join(', ')} ${why}`, exitCodes.usage);
}
