import { type AutoScalingClient, DescribeInstanceRefreshesCommand } from '@aws-sdk/client-auto-scaling';
import {
  DescribeInstancesCommand,
  DescribeLaunchTemplateVersionsCommand,
  type EC2Client,
  type Instance,
  type LaunchTemplateVersion as VersionAnswer,
} from '@aws-sdk/client-ec2';
import type { AutoScalingGroup, LaunchTemplateVersion } from '../groups/group.ts';
import type { FailedLaunches, RollLaunches, TargetReading } from '../roll/launches.ts';
import type { InstanceLaunch } from '../roll/member.ts';
import type { LaunchedFrom } from '../roll/roll.ts';
import { isEndedLaunch, newestActivities, readTerminating } from './activities.ts';
import { refusalOf, required } from './errors.ts';
import { isTemplateNotFound, templateReference } from './launch-templates.ts';

/** What groups launch, and how their instances were launched, over the APIs of EC2 and Auto Scaling. It keeps no answer. */
export const createRollLaunches = ({
  ec2,
  autoScaling,
}: {
  readonly ec2: EC2Client;
  readonly autoScaling: AutoScalingClient;
}): RollLaunches => ({
  readTargets: async (groups) =>
    new Map(
      await Promise.all(
        groups.map(async (group) => [group.autoScalingGroupName, await readTarget(ec2, group)] as const),
      ),
    ),
  readInstances: (instanceIds) => readInstances(ec2, instanceIds),
  readTerminating: (name) => readTerminating(autoScaling, name),
  findActiveRefresh: (name) => findActiveRefresh(autoScaling, name),
  readFailedLaunches: (name, since) => readFailedLaunches(autoScaling, name, since),
});

interface Unknown {
  readonly unknown: string;
}

async function readTarget(client: EC2Client, { launchSource }: AutoScalingGroup): Promise<TargetReading> {
  const { template, overrides = [], overridesDigest } = launchSource ?? {};
  if (template === undefined)
    return { unknown: 'the group has a launch configuration, not a launch template' };
  const read = new Map<string, Promise<LaunchedFrom | Unknown>>();
  const versionOf = (one: LaunchTemplateVersion) => {
    const key = `${one.nameOrId} ${one.version}`;
    const known = read.get(key) ?? readVersion(client, one);
    read.set(key, known);
    return known;
  };
  const main = await versionOf(template);
  if ('unknown' in main) return main;
  const own = new Map<string, LaunchedFrom>();
  for (const override of overrides.filter((one) => one.template ?? one.imageId)) {
    const launched = await versionOf(override.template ?? template);
    if ('unknown' in launched) return launched;
    const imageId = override.imageId ?? launched.imageId;
    if (imageId.startsWith('resolve:'))
      return { unknown: `the image ${imageId} of an override is not resolved` };
    own.set(`${launched.templateId} ${launched.version} ${imageId}`, { ...launched, imageId });
  }
  return {
    main,
    ...(own.size > 0 && { overrides: [...own.values()] }),
    ...(overridesDigest !== undefined && { policyDigest: overridesDigest }),
  };
}

/** EC2 resolves `$Latest`, `$Default` and an image of a parameter (`resolve:ssm:`), as for a launch at this moment. */
async function readVersion(
  client: EC2Client,
  { nameOrId, version }: LaunchTemplateVersion,
): Promise<LaunchedFrom | Unknown> {
  const what = `version ${version} of the launch template ${nameOrId}`;
  try {
    const { LaunchTemplateVersions, $metadata } = await client.send(
      new DescribeLaunchTemplateVersionsCommand({
        ...templateReference(nameOrId),
        Versions: [version],
        ResolveAlias: true,
      }),
    );
    const [found] = required(LaunchTemplateVersions, { name: 'LaunchTemplateVersions', $metadata });
    return found === undefined ? { unknown: `there is no ${what}` } : toLaunchedFrom(found, what);
  } catch (error) {
    if (isTemplateNotFound(error)) return { unknown: `there is no ${what}` };
    if (refusalOf(error) !== 'denied') throw error;
    return {
      unknown: `${what} may not be read: its image may be of a parameter that needs ssm:GetParameters`,
    };
  }
}

function toLaunchedFrom(
  { LaunchTemplateId, VersionNumber, LaunchTemplateData }: VersionAnswer,
  what: string,
): LaunchedFrom | Unknown {
  const imageId = LaunchTemplateData?.ImageId;
  if (LaunchTemplateId === undefined || VersionNumber === undefined)
    return { unknown: `${what} has no id or no number` };
  if (imageId === undefined) return { unknown: `${what} has no image` };
  if (imageId.startsWith('resolve:')) return { unknown: `the image ${imageId} of ${what} is not resolved` };
  return { templateId: LaunchTemplateId, version: VersionNumber, imageId };
}

/** "The maximum number of filter values specified in a single call is 200" (EC2 API reference). */
const idsPerCall = 200;

/** A filter, unlike a list of ids, leaves out what EC2 does not know. */
async function readInstances(
  client: EC2Client,
  instanceIds: readonly string[],
): ReturnType<RollLaunches['readInstances']> {
  const found = new Map<string, Pick<InstanceLaunch, 'launchedAt' | 'imageId'>>();
  for (let start = 0; start < instanceIds.length; start += idsPerCall) {
    const Filters = [{ Name: 'instance-id', Values: instanceIds.slice(start, start + idsPerCall) }];
    let NextToken: string | undefined;
    do {
      const page = await client.send(new DescribeInstancesCommand({ Filters, MaxResults: 1000, NextToken }));
      const { $metadata } = page;
      for (const { Instances } of required(page.Reservations, { name: 'Reservations', $metadata }))
        for (const instance of required(Instances, { name: 'Instances', $metadata })) {
          const launch = launchOf(instance);
          if (launch) found.set(instance.InstanceId ?? '', launch);
        }
      NextToken = page.NextToken || undefined;
    } while (NextToken);
  }
  return found;
}

/**
 * LaunchTime is that of the last start: an instance that was stopped in a warm pool is older. "To determine the time that instance was first
 * launched, see the attachment time of the primary network interface" (EC2 API reference, Instance).
 */
function launchOf({
  ImageId: imageId,
  LaunchTime,
  NetworkInterfaces = [],
}: Instance): Pick<InstanceLaunch, 'launchedAt' | 'imageId'> | undefined {
  const primary = NetworkInterfaces.find(({ Attachment }) => Attachment?.DeviceIndex === 0);
  const times = [LaunchTime, primary?.Attachment?.AttachTime].flatMap((time) => time?.getTime() ?? []);
  return imageId === undefined || times.length === 0
    ? undefined
    : { launchedAt: Math.min(...times), imageId };
}

/** Not ended: Auto Scaling accepts no second refresh meanwhile (API reference, InstanceRefresh). */
const activeStatuses: readonly (string | undefined)[] = [
  'Pending',
  'InProgress',
  'Cancelling',
  'RollbackInProgress',
  'Baking',
];

/** Auto Scaling lists the refreshes of a group from the newest to the oldest, and at most one of them is active. */
async function findActiveRefresh(client: AutoScalingClient, name: string): Promise<string | undefined> {
  const { InstanceRefreshes, $metadata } = await client.send(
    new DescribeInstanceRefreshesCommand({ AutoScalingGroupName: name, MaxRecords: 1 }),
  );
  const [newest] = required(InstanceRefreshes, { name: 'InstanceRefreshes', $metadata });
  return activeStatuses.includes(newest?.Status) ? newest?.InstanceRefreshId : undefined;
}

/** The thousand newest activities are read at most. Of more, the newest count. */
async function readFailedLaunches(
  client: AutoScalingClient,
  name: string,
  since: number,
): Promise<FailedLaunches> {
  let count = 0;
  let ended = 0;
  let newest: string | undefined;
  for await (const { activities } of newestActivities(client, name)) {
    const recent = activities.filter(({ StartTime }) => (StartTime?.getTime() ?? Infinity) >= since);
    const launches = recent.filter(isEndedLaunch);
    const failed = launches.filter(({ StatusCode }) => StatusCode !== 'Successful');
    count += failed.length;
    ended += launches.length;
    newest ??= failed[0]?.StatusMessage;
    if (recent.length < activities.length) break;
  }
  return { count, ...(ended > 0 && { ended }), ...(newest !== undefined && { newest }) };
}
