import type { _InstanceType } from '@aws-sdk/client-ec2';
import { DescribeInstancesCommand } from '@aws-sdk/client-ec2';
import type { AutoScalingEventsWorld } from '../auto-scaling-events/world.ts';
import type { Route53World } from '../route53/cases.ts';

/** An account with groups, their events and private zones: what a group of etcd members needs of AWS. */
export interface EtcdGroupsWorld extends AutoScalingEventsWorld {
  readonly route53: Route53World['client'];
  readonly vpc?: Route53World['vpc'];
}

/** What EC2 shows of these instances, in the order of their ids. */
export async function instancesOf({ ec2 }: EtcdGroupsWorld, InstanceIds: string[]) {
  const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand({ InstanceIds }));
  return Reservations.flatMap(({ Instances = [] }) => Instances).map((instance) => ({
    id: instance.InstanceId ?? '',
    type: instance.InstanceType as _InstanceType,
    address: instance.PrivateIpAddress ?? '',
    volume: instance.BlockDeviceMappings?.[0]?.Ebs?.VolumeId,
  }));
}
