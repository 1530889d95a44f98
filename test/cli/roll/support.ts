import { clusterName } from '../../../local/names.ts';
import type { DroverWorld } from '../../../local/world/drover-world.ts';
import { parametersOf } from '../../../local/world/holds.ts';
import { formatSeen, type RollSeen, rollPathsOf, seenParameterOf } from '../../../shared/roll/roll.ts';

export const paths = rollPathsOf(clusterName);

/** A rule as a deployment with rolls=on has it. */
export const turnRollsOn = ({ account }: DroverWorld): void =>
  void account.events.operations.PutRule({ Name: 'drover-dev-roll', ScheduleExpression: 'rate(1 minute)' });

/** The group launches another version of its template from now on. */
export const changeTemplate = ({ account }: DroverWorld, LaunchTemplateName = 'workers'): void =>
  void account.ec2.operations.CreateLaunchTemplateVersion({
    LaunchTemplateName,
    SourceVersion: '1',
    LaunchTemplateData: { ImageId: 'ami-0123456789abcdef1' },
  });

/** The names of the parameters below the rolls. */
export const askedRolls = ({ account }: DroverWorld): readonly string[] =>
  (account.ssm.operations.GetParametersByPath({ Path: paths.rolls, Recursive: true }).Parameters ?? []).map(
    ({ Name = '' }) => Name,
  );

/** What a pass has seen of a roll. */
export const putSeen = (world: DroverWorld, name: string, seen: RollSeen): Promise<void> =>
  parametersOf(world).write(seenParameterOf(paths, name), formatSeen(seen));
