import { DescribeInstancesCommand, type EC2Client } from '@aws-sdk/client-ec2';
import {
  GetInstanceProfileCommand,
  type IAMClient,
  ListInstanceProfilesForRoleCommand,
} from '@aws-sdk/client-iam';
import type { InstanceSource, ListedInstance } from '../identity/node-instances.ts';
import { type InstanceOfIdentity, roleNameOf } from '../identity/user.ts';
import { hasCode, isInstanceNotFound, required } from './errors.ts';

/** Finds instances with the roles of their profiles. Both have to answer: a role that cannot be read is an error, not a missing one. */
export const findIdentityInstance =
  (ec2: EC2Client, iam: IAMClient) =>
  async (instanceId: string): Promise<InstanceOfIdentity> => {
    const instance = await describe(ec2, instanceId);
    if (instance === undefined) return undefined;
    const profileName = instance.IamInstanceProfile?.Arn?.split('/').at(-1);
    return {
      isRunning: instance.State?.Name === 'running' || instance.State?.Name === 'pending',
      privateDnsName: instance.PrivateDnsName || undefined,
      roleArn: profileName === undefined ? undefined : await roleOf(iam, profileName),
    };
  };

async function describe(ec2: EC2Client, instanceId: string) {
  try {
    const { Reservations, $metadata } = await ec2.send(
      new DescribeInstancesCommand({ InstanceIds: [instanceId] }),
    );
    return required(Reservations, { name: 'Reservations', $metadata }).flatMap(
      ({ Instances = [] }) => Instances,
    )[0];
  } catch (error) {
    if (isInstanceNotFound(error)) return undefined;
    throw error;
  }
}

/** A profile has one role at most. Undefined for one that is gone or empty. */
async function roleOf(iam: IAMClient, InstanceProfileName: string): Promise<string | undefined> {
  try {
    const { InstanceProfile, $metadata } = await iam.send(
      new GetInstanceProfileCommand({ InstanceProfileName }),
    );
    return required(InstanceProfile, { name: 'InstanceProfile', $metadata }).Roles?.[0]?.Arn;
  } catch (error) {
    if (hasCode(error, 'NoSuchEntity', 'NoSuchEntityException')) return undefined;
    throw error;
  }
}

/** "The maximum number of filter values specified in a single call is 200" (EC2 API reference). */
const valuesPerCall = 200;
const pageSize = 1000;

/**
 * The instances of a role, by the profiles that contain it: they need no tag, and instances of other roles are left out. A role of another account
 * may have the same name, so the role in each profile is compared. EC2 gives a private DNS name once in each VPC, so with a VPC the instances of
 * others are left out: one of them would get the name of a node. Empty for any VPC.
 */
export const createInstanceSource = (ec2: EC2Client, iam: IAMClient, vpcId = ''): InstanceSource => ({
  listProfiles: async (roleArn) => {
    const arns: string[] = [];
    let Marker: string | undefined;
    do {
      const page = await profilesPage(iam, roleArn, Marker);
      arns.push(...page.arns);
      Marker = page.next;
    } while (Marker);
    return arns;
  },
  listInstances: async (profileArns) => {
    const found: ListedInstance[] = [];
    for (let start = 0; start < profileArns.length; start += valuesPerCall)
      found.push(...(await runningWith(ec2, profileArns.slice(start, start + valuesPerCall), vpcId)));
    return found;
  },
});

/** @throws UnreadableAnswerError */
async function profilesPage(
  iam: IAMClient,
  roleArn: string,
  Marker: string | undefined,
): Promise<{ readonly arns: readonly string[]; readonly next: string | undefined }> {
  const RoleName = roleNameOf(roleArn).replace(/^\d+:/, '');
  try {
    const page = await iam.send(
      new ListInstanceProfilesForRoleCommand({ RoleName, ...(Marker && { Marker }) }),
    );
    const { $metadata } = page;
    const profiles = required(page.InstanceProfiles, { name: 'InstanceProfiles', $metadata });
    const own = profiles.filter(({ Roles = [] }) =>
      Roles.some(({ Arn = '' }) => roleNameOf(Arn) === roleNameOf(roleArn)),
    );
    return { arns: own.flatMap(({ Arn }) => Arn ?? []), next: page.IsTruncated ? page.Marker : undefined };
  } catch (error) {
    if (hasCode(error, 'NoSuchEntity', 'NoSuchEntityException')) return { arns: [], next: undefined };
    throw error;
  }
}

/** @throws UnreadableAnswerError */
async function runningWith(
  ec2: EC2Client,
  profileArns: readonly string[],
  vpcId: string,
): Promise<readonly ListedInstance[]> {
  const found: ListedInstance[] = [];
  const Filters = [
    { Name: 'iam-instance-profile.arn', Values: [...profileArns] },
    { Name: 'instance-state-name', Values: ['pending', 'running'] },
    ...(vpcId === '' ? [] : [{ Name: 'vpc-id', Values: [vpcId] }]),
  ];
  let NextToken: string | undefined;
  do {
    const page = await ec2.send(
      new DescribeInstancesCommand({ Filters, MaxResults: pageSize, ...(NextToken && { NextToken }) }),
    );
    const { $metadata } = page;
    for (const { Instances } of required(page.Reservations, { name: 'Reservations', $metadata }))
      for (const { InstanceId, PrivateDnsName } of required(Instances, { name: 'Instances', $metadata }))
        if (InstanceId) found.push({ instanceId: InstanceId, privateDnsName: PrivateDnsName || undefined });
    NextToken = page.NextToken || undefined;
  } while (NextToken);
  return found;
}
