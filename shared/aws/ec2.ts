import { DescribeInstancesCommand, type EC2Client, type Instance } from '@aws-sdk/client-ec2';
import type { Ec2 } from '../lifecycle/ec2.ts';
import type { Ec2Instance } from '../lifecycle/group.ts';
import { batched } from './batched.ts';
import { isInstanceNotFound } from './errors.ts';

const idsPerCall = 100;

/** EC2 over the AWS SDK. Never asks with an empty list: that would return the whole region. */
export function createEc2(client: EC2Client): Ec2 {
  return { describeInstance: batched({ limit: idsPerCall, load: (ids) => describe(client, ids) }) };
}

/** One unknown id fails the whole call, so then each half is asked for by itself until the unknown ones stand alone. */
async function describe(client: EC2Client, ids: readonly string[]): Promise<Map<string, Ec2Instance>> {
  try {
    const answer = await client.send(new DescribeInstancesCommand({ InstanceIds: [...ids] }));
    const instances = (answer.Reservations ?? []).flatMap((reservation) => reservation.Instances ?? []);
    return new Map(instances.map((instance) => [instance.InstanceId ?? '', toInstance(instance)]));
  } catch (error) {
    if (!isInstanceNotFound(error)) throw error;
    if (ids.length === 1) return new Map();
    const middle = Math.ceil(ids.length / 2);
    const halves = await Promise.all([
      describe(client, ids.slice(0, middle)),
      describe(client, ids.slice(middle)),
    ]);
    return new Map(halves.flatMap((half) => [...half]));
  }
}

const toInstance = (instance: Instance): Ec2Instance => ({
  instanceId: instance.InstanceId ?? '',
  state: instance.State?.Name ?? 'pending',
  privateDnsName: instance.PrivateDnsName || undefined,
  privateIpAddress: instance.PrivateIpAddress,
  availabilityZone: instance.Placement?.AvailabilityZone,
  launchedAt: instance.LaunchTime?.toISOString(),
  spot: instance.InstanceLifecycle === 'spot',
  tags: Object.fromEntries((instance.Tags ?? []).map((tag) => [tag.Key ?? '', tag.Value ?? ''])),
});
