import { readRollingMark } from '../../shared/nodes/rolling-mark.ts';
import { isTainted } from '../../shared/roll/node-marks.ts';
import {
  askParameterOf,
  defaultBounds,
  formatRoll,
  formatSeen,
  type LaunchedFrom,
  type Roll,
  type RollSeen,
  readSeen,
  rollPathsOf,
  seenParameterOf,
} from '../../shared/roll/roll.ts';
import { clusterName, type DroverWorld, membersOf } from './drover-world.ts';

const paths = rollPathsOf(clusterName);

/** Makes a version of a group's launch template with another image. The group launches the latest version. */
export function newVersion(world: DroverWorld, image: string, group = 'workers'): LaunchedFrom {
  const { operations } = world.account.ec2;
  const { LaunchTemplateVersion: made } = operations.CreateLaunchTemplateVersion({
    LaunchTemplateName: group,
    SourceVersion: '$Latest',
    LaunchTemplateData: { ImageId: image },
  });
  return {
    templateId: made?.LaunchTemplateId ?? '',
    version: Number(made?.VersionNumber),
    imageId: image,
  };
}

/** What a group launches: the latest version of its template. */
export function latestOf({ account }: DroverWorld, group: string): LaunchedFrom {
  const [latest] = account.ec2.operations.DescribeLaunchTemplateVersions({
    LaunchTemplateName: group,
    Versions: ['$Latest'],
  }).LaunchTemplateVersions;
  const { LaunchTemplateId = '', VersionNumber, LaunchTemplateData } = latest ?? {};
  return {
    templateId: LaunchTemplateId,
    version: Number(VersionNumber),
    imageId: LaunchTemplateData?.ImageId ?? '',
  };
}

/** Begins a roll of these groups to what they launch, or changes it, as its command does. */
export function putRoll(
  world: DroverWorld,
  targets: Readonly<Record<string, LaunchedFrom>>,
  more: Partial<Roll> = {},
): Roll {
  const roll: Roll = {
    ...defaultBounds,
    name: 'june',
    groups: Object.entries(targets).map(([autoScalingGroupName, main]) => ({
      autoScalingGroupName,
      target: { main },
    })),
    criterion: { kind: 'changed' },
    startedAt: world.clock.now(),
    wanted: 'run',
    skipBlocked: false,
    ...more,
  };
  world.account.ssm.operations.PutParameter(
    { Name: askParameterOf(paths, roll.name), Value: formatRoll(roll), Type: 'String', Overwrite: true },
    { principal: world.account.operator, requestId: 'test' },
  );
  return roll;
}

/** Writes what an earlier pass has seen of a roll. */
export function putSeen(world: DroverWorld, seen: RollSeen, name = 'june'): void {
  world.account.ssm.operations.PutParameter(
    { Name: seenParameterOf(paths, name), Value: formatSeen(seen), Type: 'String', Overwrite: true },
    { principal: world.account.operator, requestId: 'test' },
  );
}

/** What the last pass has seen of a roll; undefined before the first. */
export function seenOf({ account }: DroverWorld, name = 'june'): RollSeen | undefined {
  const text = account.ssm.controls.value(seenParameterOf(paths, name));
  const reading = text === undefined ? undefined : readSeen(text);
  return reading?.kind === 'read' ? reading.value : undefined;
}

/** The versions of the launch template that the instances of a group are of. */
export const versionsOf = (world: DroverWorld, group = 'workers'): readonly number[] =>
  membersOf(world, group).map(({ LaunchTemplate }) => Number(LaunchTemplate?.Version));

/** The Nodes with a mark or a taint of a roll. */
export const rollNodes = ({ kubernetes }: DroverWorld, name = 'june'): readonly string[] =>
  kubernetes.store
    .of('nodes')
    .list()
    .filter((node) => readRollingMark(node.metadata.annotations) !== undefined || isTainted(node, name))
    .map(({ metadata }) => metadata.name);
