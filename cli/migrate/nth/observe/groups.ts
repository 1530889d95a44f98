import { type AutoScalingGroup, paginateDescribeAutoScalingGroups } from '@aws-sdk/client-auto-scaling';
import {
  DescribeLaunchTemplateVersionsCommand,
  type Instance,
  paginateDescribeInstances,
} from '@aws-sdk/client-ec2';
import { warmPoolMembers } from '../../../../shared/aws/warm-pools.ts';
import type { AdoptAccess } from '../../../adopt/access.ts';
import { describeNamed } from '../../../adopt/observe/groups.ts';
import { specificationsOf } from '../../../adopt/observe/templates.ts';
import type { ObservedGroup } from '../../../adopt/plan/observation.ts';
import type { NthGroup } from '../observation.ts';
import { takenTagKey } from '../record.ts';

type Clients = Pick<AdoptAccess, 'autoScaling' | 'ec2'>;

/** The groups that have one of these tags. */
export async function groupsWithTags(
  { autoScaling }: Clients,
  keys: readonly string[],
): Promise<readonly AutoScalingGroup[]> {
  return await listGroups(autoScaling.client, { Filters: [{ Name: 'tag-key', Values: [...keys] }] });
}

async function listGroups(
  client: Clients['autoScaling']['client'],
  input: Parameters<typeof paginateDescribeAutoScalingGroups>[1],
): Promise<readonly AutoScalingGroup[]> {
  const groups: AutoScalingGroup[] = [];
  for await (const { AutoScalingGroups = [] } of paginateDescribeAutoScalingGroups({ client }, input))
    groups.push(...AutoScalingGroups);
  return groups;
}

/** What a migration reads of groups beside what an adoption reads. */
export async function observeNthGroups(
  clients: Clients,
  groups: readonly ObservedGroup[],
  managedTag: string | undefined,
): Promise<readonly NthGroup[]> {
  if (groups.length === 0) return [];
  const names = groups.map(({ autoScalingGroupName }) => autoScalingGroupName);
  const [described, instances] = await Promise.all([
    describeNamed(names, clients.autoScaling),
    taggedInstances(clients, [takenTagKey, ...(managedTag === undefined ? [] : [managedTag])]),
  ]);
  const observed: NthGroup[] = [];
  for (const group of groups) {
    const { autoScalingGroupName: name } = group;
    const raw = described.find(({ AutoScalingGroupName }) => AutoScalingGroupName === name);
    const own = instances.filter((one) => tagOf(one, 'aws:autoscaling:groupName') === name);
    const pool = raw?.WarmPoolConfiguration ? await warmPoolMembers(clients.autoScaling.client, name) : [];
    observed.push({
      group: {
        ...group,
        instances: [
          ...group.instances,
          ...pool.map(({ instanceId, lifecycleState }) => ({ instanceId, lifecycleState })),
        ],
      },
      tagged: valuesOf(own, managedTag),
      taken: valuesOf(own, takenTagKey),
      taggingTemplates:
        managedTag === undefined || !raw ? [] : await templatesWithTag(raw, clients, managedTag),
    });
  }
  return observed;
}

/** The instances of groups with one of these tags. A filter by the name of a group would read `*` in it as a wildcard. */
async function taggedInstances({ ec2 }: Clients, keys: readonly string[]): Promise<readonly Instance[]> {
  const instances: Instance[] = [];
  const input = { Filters: [{ Name: 'tag-key', Values: [...keys] }], MaxResults: 1000 };
  for await (const { Reservations = [] } of paginateDescribeInstances({ client: ec2 }, input))
    instances.push(...Reservations.flatMap(({ Instances = [] }) => Instances));
  return instances.filter(({ State }) => State?.Name !== 'terminated');
}

const tagOf = ({ Tags = [] }: Instance, key: string): string | undefined => {
  const tag = Tags.find(({ Key }) => Key === key);
  return tag && (tag.Value ?? '');
};

const valuesOf = (instances: readonly Instance[], key: string | undefined): ReadonlyMap<string, string> =>
  new Map(
    instances.flatMap((one): [string, string][] => {
      const value = key === undefined ? undefined : tagOf(one, key);
      return value === undefined ? [] : [[one.InstanceId ?? '', value]];
    }),
  );

/** The names of the launch templates of a group that give the tag to instances. */
async function templatesWithTag(
  group: AutoScalingGroup,
  { ec2 }: Clients,
  managedTag: string,
): Promise<readonly string[]> {
  const names = new Set<string>();
  for (const { LaunchTemplateId, LaunchTemplateName, Version = '$Default' } of specificationsOf(group)) {
    const { LaunchTemplateVersions = [] } = await ec2.send(
      new DescribeLaunchTemplateVersionsCommand({
        // AWS describes a template by its id and its name, and takes one of them.
        ...(LaunchTemplateId === undefined ? { LaunchTemplateName } : { LaunchTemplateId }),
        Versions: [Version],
      }),
    );
    const gives = LaunchTemplateVersions.some(({ LaunchTemplateData }) =>
      (LaunchTemplateData?.TagSpecifications ?? []).some(
        ({ ResourceType, Tags = [] }) =>
          ResourceType === 'instance' && Tags.some(({ Key }) => Key === managedTag),
      ),
    );
    if (gives) names.add(LaunchTemplateName ?? LaunchTemplateId ?? '');
  }
  return [...names];
}
