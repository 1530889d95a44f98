import {
  CreateSubnetCommand,
  CreateVpcCommand,
  DescribeAvailabilityZonesCommand,
  DescribeImagesCommand,
} from '@aws-sdk/client-ec2';
import type { AccountClients } from '@drover/cloud-sandbox/real/account/clients.ts';

/** What the groups of a run are launched from. */
export interface Network {
  readonly vpcId: string;
  readonly imageId: string;
}

/** The account or the region has not what a run needs. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
}

/** No gateway and no route leads out of it: nothing can be reached from outside, and AWS charges for none of it. */
const block = '10.255.0.0/16';
const subnetBlocks = ['10.255.0.0/20', '10.255.16.0/20'];

/**
 * Makes a VPC with two subnets.
 *
 * @throws NetworkError if the region has too few zones or no image of Amazon Linux
 */
export async function makeNetwork({ ec2 }: AccountClients): Promise<Network> {
  const zones = await zonesOf(ec2);
  const imageId = await newestImage(ec2);
  const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: block }));
  const VpcId = Vpc?.VpcId;
  if (VpcId === undefined) throw new NetworkError('EC2 made a VPC and gave no id: run --sweep');
  for (const [index, CidrBlock] of subnetBlocks.entries())
    await ec2.send(new CreateSubnetCommand({ VpcId, CidrBlock, AvailabilityZone: zones[index] }));
  return { vpcId: VpcId, imageId };
}

async function zonesOf(ec2: AccountClients['ec2']): Promise<readonly string[]> {
  const { AvailabilityZones = [] } = await ec2.send(new DescribeAvailabilityZonesCommand({}));
  const zones = AvailabilityZones.filter(
    ({ State, ZoneType }) => State === 'available' && ZoneType === 'availability-zone',
  ).flatMap(({ ZoneName }) => ZoneName ?? []);
  if (zones.length < subnetBlocks.length)
    throw new NetworkError(`the region has ${zones.length} zones, and a run needs ${subnetBlocks.length}`);
  return zones;
}

/** The newest minimal Amazon Linux for arm64. Its root volume has 2 GB. */
async function newestImage(ec2: AccountClients['ec2']): Promise<string> {
  const { Images = [] } = await ec2.send(
    new DescribeImagesCommand({
      Owners: ['amazon'],
      Filters: [
        { Name: 'name', Values: ['al2023-ami-minimal-2023.*-arm64'] },
        { Name: 'state', Values: ['available'] },
      ],
    }),
  );
  const newest = Images.toSorted((a, b) => (b.CreationDate ?? '').localeCompare(a.CreationDate ?? ''))[0];
  if (newest?.ImageId === undefined)
    throw new NetworkError('the region has no image al2023-ami-minimal-2023.*-arm64 of Amazon');
  return newest.ImageId;
}
