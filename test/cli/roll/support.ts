import { clusterName } from '../../../local/names.ts';
import type { DroverWorld } from '../../../local/world/drover-world.ts';
import { parametersOf } from '../../../local/world/holds.ts';
import { formatSeen, type RollSeen, rollPathsOf, seenParameterOf } from '../../../shared/roll/roll.ts';

export const paths = rollPathsOf(clusterName);

/** The rule of a deployment with rolls=on, without its function: these tests say themselves what a pass has seen. */
export function turnRollsOn({ account }: DroverWorld): void {
  const { operations } = account.events;
  const Rule = 'drover-dev-roll';
  operations.PutRule({ Name: Rule, ScheduleExpression: 'rate(1 minute)' });
  const Ids = (operations.ListTargetsByRule({ Rule }).Targets ?? []).flatMap(({ Id }) => Id ?? []);
  if (Ids.length > 0) operations.RemoveTargets({ Rule, Ids });
}

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

/** The bodies of the messages in the queue of rolls. */
export const rollMessages = ({ account: { sqs } }: DroverWorld): readonly string[] => {
  const name = sqs.controls.queueNames().find((one) => /-RollQueue.fifo$/.test(one)) ?? '';
  return sqs.controls.peek(name).map(({ body }) => body);
};

/** What a pass has seen of a roll. */
export const putSeen = (world: DroverWorld, name: string, seen: RollSeen): Promise<void> =>
  parametersOf(world).write(seenParameterOf(paths, name), formatSeen(seen));
