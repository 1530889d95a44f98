import { ec2Errors } from './errors.ts';

/** A subnet of a simulated VPC. `addVpc` makes a /19 with room for 8,000 instances. */
export interface Subnet {
  readonly subnetId: string;
  readonly vpcId: string;
  readonly availabilityZone: string;
  readonly availabilityZoneId: string;
  readonly cidrBlock: string;
  /** The first two octets of its addresses, such as `10.0`. */
  readonly network: string;
  /** First two octets fixed, the third starts here. */
  readonly thirdOctet: number;
  /** How many addresses it has, with those that AWS keeps. */
  readonly size: number;
  readonly tags: Map<string, string>;
}

/** A VPC. `addVpc` makes one with a subnet in each of three zones. */
export interface Vpc {
  readonly vpcId: string;
  readonly cidrBlock: string;
  readonly securityGroupId: string;
  readonly subnets: readonly Subnet[];
  readonly tags: Map<string, string>;
}

/** The default VPC, with the subnets `subnet-0a..`, `subnet-0b..` and `subnet-0c..`, and those that are added. */
export interface Network extends Vpc {
  readonly vpcs: readonly Vpc[];
  /** Adds a VPC of 10.N.0.0/16. Without N it has the addresses of the default VPC, so that its instances have the same private DNS names. */
  addVpc(options?: { readonly secondOctet?: number }): Vpc;
  put(vpc: Vpc): void;
  /** Instead of the one with its id. */
  change(vpc: Vpc): void;
  remove(vpcId: string): void;
  /** Throws InvalidSubnetID.NotFound. */
  subnet(subnetId: string): Subnet;
  /** By default one that was never used, as long as there is one. Throws if the one that is meant is in use, or none is left. */
  takeAddress(subnet: Subnet, address?: string): string;
  giveBackAddress(subnet: Subnet, address: string): void;
  /** From now on the address that was given back last is taken first, so that names come back while they are known. */
  reuseAddresses(): void;
}

/** AWS keeps the first four addresses of a subnet and the last. */
const firstHost = 4;
const sizeOfNineteen = 8192;

export function createNetwork(region: string): Network {
  const vpcs: Vpc[] = [];
  const bySubnetId = new Map<string, Subnet>();
  const addresses = new Map<string, AddressPool>();
  const reuse = { isOn: false };
  const keep = (vpc: Vpc): void => {
    for (const subnet of vpc.subnets) {
      bySubnetId.set(subnet.subnetId, subnet);
      if (!addresses.has(subnet.subnetId)) addresses.set(subnet.subnetId, addressPool(subnet, reuse));
    }
  };
  const forget = ({ subnets }: Pick<Vpc, 'subnets'>): void => {
    for (const { subnetId } of subnets) {
      bySubnetId.delete(subnetId);
      addresses.delete(subnetId);
    }
  };
  const put = (vpc: Vpc): void => {
    vpcs.push(vpc);
    keep(vpc);
  };
  const replace = (vpcId: string, ...others: readonly Vpc[]): void => {
    const index = vpcs.findIndex((vpc) => vpc.vpcId === vpcId);
    for (const vpc of vpcs.splice(index, 1, ...others)) forget(withoutSubnetsOf(vpc, others));
    for (const vpc of others) keep(vpc);
  };
  const addVpc = ({ secondOctet = 0 }: { readonly secondOctet?: number } = {}): Vpc => {
    const vpc = vpcOf({ region, count: vpcs.length, secondOctet });
    put(vpc);
    return vpc;
  };
  const first = addVpc();
  return {
    ...first,
    get subnets() {
      return vpcs.find(({ vpcId }) => vpcId === first.vpcId)?.subnets ?? [];
    },
    vpcs,
    addVpc,
    put,
    change: (vpc) => replace(vpc.vpcId, vpc),
    remove: (vpcId) => replace(vpcId),
    subnet: (subnetId) => known(bySubnetId.get(subnetId), subnetId),
    takeAddress: (subnet, address) => known(addresses.get(subnet.subnetId), subnet.subnetId).take(address),
    giveBackAddress: (subnet, address) =>
      known(addresses.get(subnet.subnetId), subnet.subnetId).giveBack(address),
    reuseAddresses: () => {
      reuse.isOn = true;
    },
  };
}

/** The subnets that the others do not have. */
const withoutSubnetsOf = ({ subnets }: Vpc, others: readonly Vpc[]): Pick<Vpc, 'subnets'> => ({
  subnets: subnets.filter((subnet) => !others.some((other) => other.subnets.includes(subnet))),
});

interface VpcPlan {
  readonly region: string;
  /** How many VPCs exist. */
  readonly count: number;
  readonly secondOctet: number;
}

function vpcOf(plan: VpcPlan): Vpc {
  const suffix = `0d10ce${plan.count.toString(16).padStart(11, '0')}`;
  const vpcId = `vpc-${suffix}`;
  return {
    vpcId,
    cidrBlock: `10.${plan.secondOctet}.0.0/16`,
    securityGroupId: `sg-${suffix}`,
    subnets: ['a', 'b', 'c'].map((letter, index) => subnetOf(vpcId, { ...plan, letter, index })),
    tags: new Map(),
  };
}

function subnetOf(vpcId: string, place: VpcPlan & { letter: string; index: number }): Subnet {
  const { region, count, secondOctet, letter, index } = place;
  const network = `10.${secondOctet}`;
  const thirdOctet = index * 32;
  const suffix = count === 0 ? letter.repeat(15) : count.toString(16).padStart(15, '0');
  return {
    subnetId: `subnet-0${letter}${suffix}`,
    vpcId,
    availabilityZone: `${region}${letter}`,
    availabilityZoneId: zoneId(region, index),
    cidrBlock: `${network}.${thirdOctet}.0/19`,
    network,
    thirdOctet,
    size: sizeOfNineteen,
    tags: new Map(),
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

interface AddressPool {
  take(address?: string): string;
  giveBack(address: string): void;
}

/** Fresh addresses first, then those given back, oldest first: a name comes back only when it must, or if they are to be reused. */
function addressPool(subnet: Subnet, reuse: { readonly isOn: boolean }): AddressPool {
  const returned = new Set<string>();
  const held = new Set<string>();
  const lastHost = subnet.size - 2;
  let next = firstHost;
  const fresh = (): string | undefined => {
    while (next <= lastHost) {
      const address = addressOf(subnet, next++);
      if (!held.has(address)) return address;
    }
    return undefined;
  };
  const free = (): string | undefined =>
    reuse.isOn ? ([...returned].at(-1) ?? fresh()) : (fresh() ?? [...returned][0]);
  return {
    take: (wanted) => {
      const address = wanted ?? free();
      if (address === undefined)
        throw ec2Errors.invalidParameter(`Not enough free addresses in subnet '${subnet.subnetId}'`);
      if (held.has(address)) throw ec2Errors.invalidParameter(`Address ${address} is in use.`);
      returned.delete(address);
      held.add(address);
      return address;
    },
    giveBack: (address) => {
      held.delete(address);
      returned.add(address);
    },
  };
}

const addressOf = (subnet: Subnet, host: number): string =>
  `${subnet.network}.${subnet.thirdOctet + Math.floor(host / 256)}.${host % 256}`;
