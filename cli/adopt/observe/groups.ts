import {
  type AutoScalingGroup,
  DescribeAutoScalingGroupsCommand,
  type DescribeAutoScalingGroupsCommandOutput,
} from '@aws-sdk/client-auto-scaling';
import { describeHooks } from '../../../shared/aws/auto-scaling.ts';
import { required } from '../../../shared/aws/errors.ts';
import { findIdentityInstance } from '../../../shared/aws/identity-instances.ts';
import type { AutoScalingAccess } from '../../auto-scaling/access.ts';
import type { AdoptAccess } from '../access.ts';
import type { ObservedGroup } from '../plan/observation.ts';
import { observeLaunch } from './templates.ts';

type Clients = Pick<AdoptAccess, 'autoScaling' | 'ec2' | 'iam'>;

/** The named groups as AWS describes them now, and the names that it does not know. */
export async function observeGroups(
  names: readonly string[],
  clients: Clients,
  withTemplates: boolean,
): Promise<{ readonly groups: readonly ObservedGroup[]; readonly unknownGroups: readonly string[] }> {
  const asked = [...new Set(names)];
  const found = await describe(asked, clients.autoScaling);
  const byName = new Map(found.map((group) => [group.AutoScalingGroupName ?? '', group]));
  const groups: ObservedGroup[] = [];
  for (const name of asked) {
    const group = byName.get(name);
    if (group)
      groups.push({
        ...(await observeGroup(name, group, clients)),
        launch: withTemplates ? await observeLaunch(group, clients) : { kind: 'none' },
      });
  }
  return { groups, unknownGroups: asked.filter((name) => !byName.has(name)) };
}

async function describe(
  names: readonly string[],
  { client }: AutoScalingAccess,
): Promise<readonly AutoScalingGroup[]> {
  const groups: AutoScalingGroup[] = [];
  let NextToken: string | undefined;
  do {
    const page: DescribeAutoScalingGroupsCommandOutput = await client.send(
      new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [...names], NextToken }),
    );
    const { $metadata } = page;
    groups.push(...required(page.AutoScalingGroups, { name: 'AutoScalingGroups', $metadata }));
    NextToken = page.NextToken;
  } while (NextToken);
  return groups;
}

async function observeGroup(
  autoScalingGroupName: string,
  { Tags = [], Instances = [] }: AutoScalingGroup,
  { autoScaling, ec2, iam }: Clients,
): Promise<Omit<ObservedGroup, 'launch'>> {
  const [first] = Instances;
  const identity = first?.InstanceId ? await findIdentityInstance(ec2, iam)(first.InstanceId) : undefined;
  return {
    autoScalingGroupName,
    tags: new Map(
      Tags.map(({ Key = '', Value = '', PropagateAtLaunch }) => [
        Key,
        { value: Value, propagates: PropagateAtLaunch === true },
      ]),
    ),
    instances: Instances.map(({ InstanceId = '', LifecycleState = '' }) => ({
      instanceId: InstanceId,
      lifecycleState: LifecycleState,
    })),
    hooks: await describeHooks(autoScaling.client, autoScalingGroupName),
    instanceRoleArn: identity?.roleArn,
  };
}
