import {
  type AutoScalingGroup,
  DescribeAutoScalingGroupsCommand,
  type DescribeAutoScalingGroupsCommandOutput,
  type Instance,
} from '@aws-sdk/client-auto-scaling';
import { describeHooks } from '../../../shared/aws/auto-scaling.ts';
import { required } from '../../../shared/aws/errors.ts';
import { findIdentityInstance } from '../../../shared/aws/identity-instances.ts';
import type { AutoScalingAccess } from '../../auto-scaling/access.ts';
import type { AdoptAccess } from '../access.ts';
import type { ObservedGroup } from '../plan/observation.ts';
import { layoutOf } from './layout.ts';
import { observeNodegroup } from './nodegroups.ts';
import { observeLaunch } from './templates.ts';

type Clients = Pick<AdoptAccess, 'autoScaling' | 'ec2' | 'eks' | 'iam'>;

/** The named groups as AWS describes them now, and the names that it does not know. */
export async function observeGroups(
  names: readonly string[],
  clients: Clients,
  withTemplates: boolean,
): Promise<{ readonly groups: readonly ObservedGroup[]; readonly unknownGroups: readonly string[] }> {
  const asked = [...new Set(names)];
  const found = await describeNamed(asked, clients.autoScaling);
  const byName = new Map(found.map((group) => [group.AutoScalingGroupName ?? '', group]));
  const groups: ObservedGroup[] = [];
  for (const name of asked) {
    const group = byName.get(name);
    if (group) {
      const observed = await observeGroup(name, group, clients);
      groups.push({
        ...observed,
        layout: layoutOf(group),
        // Whether nodes join while their instances are in a warm pool depends on the user data.
        launch:
          withTemplates || group.WarmPoolConfiguration
            ? await observeLaunch(group, clients)
            : { kind: 'none' },
        nodegroup: await observeNodegroup(clients.eks, observed),
      });
    }
  }
  return { groups, unknownGroups: asked.filter((name) => !byName.has(name)) };
}

/** DescribeAutoScalingGroups takes at most 50 names a call (EC2 Auto Scaling API reference). */
const namesPerCall = 50;

/** The groups with these names that AWS knows. */
export async function describeNamed(
  names: readonly string[],
  access: Pick<AutoScalingAccess, 'client'>,
): Promise<readonly AutoScalingGroup[]> {
  const groups: AutoScalingGroup[] = [];
  for (let start = 0; start < names.length; start += namesPerCall)
    groups.push(...(await describeSome(names.slice(start, start + namesPerCall), access)));
  return groups;
}

async function describeSome(
  names: readonly string[],
  { client }: Pick<AutoScalingAccess, 'client'>,
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
    instanceRoleArns: await rolesOf(Instances, { ec2, iam }),
  };
}

/** One instance of each version of each launch template shows the role that all of these have. */
async function rolesOf(
  instances: readonly Instance[],
  { ec2, iam }: Pick<Clients, 'ec2' | 'iam'>,
): Promise<readonly string[]> {
  const find = findIdentityInstance(ec2, iam);
  const byLaunch = new Map(
    instances.map(({ InstanceId = '', LaunchTemplate, LaunchConfigurationName = '' }) => [
      [LaunchTemplate?.LaunchTemplateId, LaunchTemplate?.Version, LaunchConfigurationName].join(' '),
      InstanceId,
    ]),
  );
  const roles = new Set<string>();
  for (const instanceId of byLaunch.values()) {
    const roleArn = (await find(instanceId))?.roleArn;
    if (roleArn !== undefined) roles.add(roleArn);
  }
  return [...roles];
}
