import type {
  CreateSubnetRequest,
  CreateVpcRequest,
  DeleteSubnetRequest,
  DeleteVpcRequest,
  TagSpecification,
} from '@aws-sdk/client-ec2';
import { ec2Errors } from './errors.ts';
import { attachedInterfaces } from './interfaces.ts';
import type { Ec2World } from './model.ts';
import type { Subnet, Vpc } from './network.ts';
import { toSubnet, toVpc, vpcOf } from './network-operations.ts';

/** An IPv4 block as its first address and the length of its prefix. */
interface Block {
  readonly first: number;
  readonly prefix: number;
}

/** "Must be between /16 and /28": https://docs.aws.amazon.com/vpc/latest/userguide/vpc-cidr-blocks.html */
function blockOf(text: string, otherwise: (text: string) => Error): Block {
  const [, a = '', b = '', c = '', d = '', length = ''] =
    /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(text) ?? [];
  const octets = [a, b, c, d].map(Number);
  const prefix = Number(length);
  const first = octets.reduce((sum, octet) => sum * 256 + octet, 0);
  const isAligned = first % sizeOf({ first, prefix }) === 0;
  if (length === '' || octets.some((octet) => octet > 255) || prefix < 16 || prefix > 28 || !isAligned)
    throw otherwise(text);
  return { first, prefix };
}

const sizeOf = ({ prefix }: Block): number => 2 ** (32 - prefix);
const contains = (one: Block, other: Block): boolean =>
  one.first <= other.first && other.first + sizeOf(other) <= one.first + sizeOf(one);
const overlap = (one: Block, other: Block): boolean => contains(one, other) || contains(other, one);

const tagsFor = (type: string, specifications: readonly TagSpecification[] = []): Map<string, string> =>
  new Map(
    specifications
      .filter(({ ResourceType }) => ResourceType === type)
      .flatMap(({ Tags = [] }) => Tags.map(({ Key = '', Value = '' }) => [Key, Value] as const)),
  );

function createVpc(world: Ec2World, { CidrBlock = '', TagSpecifications }: CreateVpcRequest): Vpc {
  blockOf(CidrBlock, ec2Errors.invalidVpcRange);
  const suffix = `0${world.random.hex(16)}`;
  const vpc = {
    vpcId: `vpc-${suffix}`,
    cidrBlock: CidrBlock,
    securityGroupId: `sg-${suffix}`,
    subnets: [],
    tags: tagsFor('vpc', TagSpecifications),
  };
  world.network.put(vpc);
  return vpc;
}

/** In a zone of the default VPC; without one in the first. */
function createSubnet(world: Ec2World, input: CreateSubnetRequest): Subnet {
  const { CidrBlock = '', VpcId = '', TagSpecifications } = input;
  const vpc = vpcOf(world, VpcId);
  const block = blockOf(CidrBlock, ec2Errors.invalidSubnetRange);
  const taken = vpc.subnets.map(({ cidrBlock }) => blockOf(cidrBlock, ec2Errors.invalidSubnetRange));
  // Addresses are counted from a whole third octet.
  const isWhole = block.prefix <= 24 || block.first % 256 === 0;
  if (!contains(blockOf(vpc.cidrBlock, ec2Errors.invalidVpcRange), block) || !isWhole)
    throw ec2Errors.invalidSubnetRange(CidrBlock);
  if (taken.some((other) => overlap(other, block))) throw ec2Errors.subnetConflict(CidrBlock);
  const zones = world.network.subnets;
  const zone = zones.find(
    ({ availabilityZone }) => availabilityZone === (input.AvailabilityZone ?? zones[0]?.availabilityZone),
  );
  if (zone === undefined)
    throw ec2Errors.invalidParameter(
      `Value (${input.AvailabilityZone}) for parameter availabilityZone is invalid.`,
    );
  const [first = '', second = '', third = ''] = CidrBlock.split('.');
  const subnet = {
    subnetId: `subnet-0${world.random.hex(16)}`,
    vpcId: vpc.vpcId,
    availabilityZone: zone.availabilityZone,
    availabilityZoneId: zone.availabilityZoneId,
    cidrBlock: CidrBlock,
    network: `${first}.${second}`,
    thirdOctet: Number(third),
    size: sizeOf(block),
    tags: tagsFor('subnet', TagSpecifications),
  };
  world.network.change({ ...vpc, subnets: [...vpc.subnets, subnet] });
  return subnet;
}

/** A network interface holds its subnet, and a subnet its VPC. */
function deleteSubnet(world: Ec2World, { SubnetId = '' }: DeleteSubnetRequest): void {
  const subnet = world.network.subnet(SubnetId);
  if (attachedInterfaces(world).some(({ one }) => one.subnet.subnetId === SubnetId))
    throw ec2Errors.hasDependencies('subnet', SubnetId);
  const vpc = vpcOf(world, subnet.vpcId);
  world.network.change({ ...vpc, subnets: vpc.subnets.filter((one) => one !== subnet) });
}

function deleteVpc(world: Ec2World, { VpcId = '' }: DeleteVpcRequest): void {
  if (vpcOf(world, VpcId).subnets.length > 0) throw ec2Errors.hasDependencies('vpc', VpcId);
  world.network.remove(VpcId);
}

/** VPCs and subnets that callers make, with the default security group. Gateways, routes and other groups are not modelled. */
export const vpcOperations = (world: Ec2World) => ({
  CreateVpc: (input: CreateVpcRequest) => ({ Vpc: toVpc(world, createVpc(world, input)) }),
  DeleteVpc: (input: DeleteVpcRequest): Record<string, never> => {
    deleteVpc(world, input);
    return {};
  },
  CreateSubnet: (input: CreateSubnetRequest) => ({ Subnet: toSubnet(world, createSubnet(world, input)) }),
  DeleteSubnet: (input: DeleteSubnetRequest): Record<string, never> => {
    deleteSubnet(world, input);
    return {};
  },
});
