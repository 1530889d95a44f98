import { ec2Errors } from './errors.ts';

/** A subnet of the simulated VPC: a /19 with room for 8,000 instances. */
export interface Subnet {
  readonly subnetId: string;
  readonly vpcId: string;
  readonly availabilityZone: string;
  readonly availabilityZoneId: string;
  readonly cidrBlock: string;
  /** First two octets fixed, the third starts here. */
  readonly thirdOctet: number;
}

export interface Network {
  readonly vpcId: string;
  readonly cidrBlock: string;
  readonly securityGroupId: string;
  readonly subnets: readonly Subnet[];
  /** Throws InvalidSubnetID.NotFound. */
  subnet(subnetId: string): Subnet;
  /** Throws when no address is left. */
  takeAddress(subnet: Subnet): string;
  giveBackAddress(subnet: Subnet, address: string): void;
}

/** A /19 less network and broadcast address and the three that AWS keeps (first four and the last). */
const firstHost = 4;
const lastHost = 8190;

/** One VPC with a subnet in each of three zones: `subnet-0a..`, `subnet-0b..`, `subnet-0c..`. */
export function createNetwork(region: string): Network {
  const vpcId = 'vpc-0d10ce00000000000';
  const subnets = ['a', 'b', 'c'].map((letter, index) => subnetOf({ region, vpcId, letter, index }));
  const bySubnetId = new Map(subnets.map((subnet) => [subnet.subnetId, subnet]));
  const addresses = new Map(subnets.map((subnet) => [subnet.subnetId, addressPool(subnet)]));
  return {
    vpcId,
    cidrBlock: '10.0.0.0/16',
    securityGroupId: 'sg-0d10ce00000000000',
    subnets,
    subnet: (subnetId) => known(bySubnetId.get(subnetId), subnetId),
    takeAddress: (subnet) => known(addresses.get(subnet.subnetId), subnet.subnetId).take(),
    giveBackAddress: (subnet, address) =>
      known(addresses.get(subnet.subnetId), subnet.subnetId).giveBack(address),
  };
}

function subnetOf(place: { region: string; vpcId: string; letter: string; index: number }): Subnet {
  const { region, vpcId, letter, index } = place;
  const thirdOctet = index * 32;
  return {
    subnetId: `subnet-0${letter}${letter.repeat(15)}`,
    vpcId,
    availabilityZone: `${region}${letter}`,
    availabilityZoneId: zoneId(region, index),
    cidrBlock: `10.0.${thirdOctet}.0/19`,
    thirdOctet,
  };
}

/** `eu-west-1`, 0 -> `euw1-az1`, as AWS shortens them. */
function zoneId(region: string, index: number): string {
  const [continent = region, direction = '', digit = ''] = region.split('-');
  const compass = direction.replaceAll(/north|south|east|west|central/g, (word) => word.charAt(0));
  return `${continent}${compass}${digit}-az${index + 1}`;
}

function known<T>(value: T | undefined, subnetId: string): T {
  if (value === undefined) throw ec2Errors.subnetNotFound(subnetId);
  return value;
}

/** Fresh addresses first, then those given back, oldest first: a name comes back only when it must. */
function addressPool(subnet: Subnet): { take(): string; giveBack(address: string): void } {
  const returned: string[] = [];
  let next = firstHost;
  return {
    take: () => {
      if (next <= lastHost) return addressOf(subnet, next++);
      const again = returned.shift();
      if (again === undefined) {
        throw ec2Errors.invalidParameter(`Not enough free addresses in subnet '${subnet.subnetId}'`);
      }
      return again;
    },
    giveBack: (address) => {
      returned.push(address);
    },
  };
}

const addressOf = (subnet: Subnet, host: number): string =>
  `10.0.${subnet.thirdOctet + Math.floor(host / 256)}.${host % 256}`;
