import { DescribeInstancesCommand, type EC2Client } from '@aws-sdk/client-ec2';
import { GetInstanceProfileCommand, type IAMClient } from '@aws-sdk/client-iam';
import type { InstanceOfIdentity } from '../identity/user.ts';
import { hasCode, isInstanceNotFound, required } from './errors.ts';

/** Instances with the roles of their profiles, read anew. Both have to answer: a role that cannot be read is an error, not a missing one. */
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
