import type { RequestLaunchTemplateData } from '@aws-sdk/client-ec2';
import { ec2Errors } from './errors.ts';
import { isInstanceType } from './instance-types.ts';
import { launchInterfaces } from './interfaces.ts';
import type { ResolvedLaunchTemplate } from './launch-templates.ts';
import { boot } from './lifecycle.ts';
import type { Ec2World, InstanceLifecycle, SimulatedInstance } from './model.ts';
import type { Subnet } from './network.ts';
import { privateDnsName } from './private-dns-name.ts';

/** What one launch needs; what is absent comes from the launch template, then from EC2's defaults. */
export interface LaunchRequest {
  readonly launchTemplate?: ResolvedLaunchTemplate | undefined;
  readonly instanceType?: string | undefined;
  readonly imageId?: string | undefined;
  readonly subnetId?: string | undefined;
  /** Defaults to a free one of the subnet. */
  readonly privateIpAddress?: string | undefined;
  readonly lifecycle?: InstanceLifecycle | undefined;
  readonly userData?: string | undefined;
  readonly iamInstanceProfileArn?: string | undefined;
  readonly hostnameType?: 'ip-name' | 'resource-name' | undefined;
  readonly securityGroupIds?: readonly string[] | undefined;
  readonly reservationId?: string | undefined;
  readonly tags: ReadonlyMap<string, string>;
}

const marketTypes = ['spot', 'capacity-block', 'interruptible-capacity-reservation', 'on-demand'] as const;

/**
 * The lifecycle that a market option gives. AWS launches into a block or an interruptible reservation only if the launch names one, which
 * this EC2 does not model.
 */
export const lifecycleOf = (marketType: string | undefined): InstanceLifecycle | undefined =>
  marketTypes.find((known) => known === marketType);

const defaultImageId = 'ami-0d10ce00000000000';
const defaultInstanceType = 't3.medium';

/**
 * One instance, pending at once and running after the boot delay. Throws InvalidInstanceType, InvalidSubnetID.NotFound
 * or InsufficientInstanceCapacity.
 */
export function launchInstance(world: Ec2World, request: LaunchRequest): SimulatedInstance {
  const data = request.launchTemplate?.data ?? {};
  const instanceType = request.instanceType ?? data.InstanceType ?? defaultInstanceType;
  const subnet = subnetFor(world, request, data);
  checkCapacity(world, instanceType, subnet);
  const instance = newInstance(world, { request, data, instanceType, subnet });
  world.instances.set(instance.instanceId, instance);
  boot(world, instance);
  return instance;
}

function subnetFor(world: Ec2World, request: LaunchRequest, data: RequestLaunchTemplateData): Subnet {
  const asked = request.subnetId ?? data.NetworkInterfaces?.[0]?.SubnetId;
  if (asked !== undefined) return world.network.subnet(asked);
  const [first] = world.network.subnets;
  if (first === undefined) throw ec2Errors.missingParameter('SubnetId');
  return first;
}

function checkCapacity(world: Ec2World, instanceType: string, subnet: Subnet): void {
  if (!isInstanceType(instanceType)) throw ec2Errors.invalidInstanceType(instanceType);
  if (world.shortages.has(`${instanceType}:${subnet.availabilityZone}`)) {
    throw ec2Errors.insufficientCapacity(instanceType, subnet.availabilityZone);
  }
}

interface Plan {
  readonly request: LaunchRequest;
  readonly data: RequestLaunchTemplateData;
  readonly instanceType: string;
  readonly subnet: Subnet;
}

function newInstance(world: Ec2World, { request, data, instanceType, subnet }: Plan): SimulatedInstance {
  const { random } = world;
  const instanceId = `i-0${random.hex(16)}`;
  const privateIpAddress = world.network.takeAddress(subnet, request.privateIpAddress);
  const hostnameType = request.hostnameType ?? hostnameTypeOf(data);
  return {
    instanceId,
    reservationId: request.reservationId ?? `r-0${random.hex(16)}`,
    instanceType,
    imageId: request.imageId ?? data.ImageId ?? defaultImageId,
    subnet,
    privateIpAddress,
    privateDnsName: privateDnsName(world.region, { hostnameType, instanceId, privateIpAddress }),
    hostnameType,
    volumeId: `vol-0${random.hex(16)}`,
    interfaces: launchInterfaces(world, { data, subnet, primaryAddress: privateIpAddress }),
    securityGroupIds: request.securityGroupIds ?? data.SecurityGroupIds ?? [securityGroupOf(world, subnet)],
    lifecycle: request.lifecycle ?? lifecycleOf(data.InstanceMarketOptions?.MarketType) ?? 'on-demand',
    iamInstanceProfileArn: request.iamInstanceProfileArn ?? profileArn(world, data),
    userData: request.userData ?? data.UserData,
    tags: launchTags(request, data),
    launchedAt: world.clock.now(),
    firstLaunchedAt: world.clock.now(),
    state: 'pending',
    stateReason: undefined,
    terminatedAt: undefined,
    consoleOutput: '',
  };
}

const securityGroupOf = ({ network }: Ec2World, { vpcId }: Subnet): string =>
  network.vpcs.find((vpc) => vpc.vpcId === vpcId)?.securityGroupId ?? network.securityGroupId;

const hostnameTypeOf = (data: RequestLaunchTemplateData): 'ip-name' | 'resource-name' =>
  data.PrivateDnsNameOptions?.HostnameType === 'resource-name' ? 'resource-name' : 'ip-name';

function profileArn(world: Ec2World, data: RequestLaunchTemplateData): string | undefined {
  const { Arn, Name } = data.IamInstanceProfile ?? {};
  if (Arn !== undefined) return Arn;
  return Name === undefined ? undefined : `arn:aws:iam::${world.accountId}:instance-profile/${Name}`;
}

/** The tags of the request win over the template's. Tags that AWS reserves name the template and the group. */
function launchTags(request: LaunchRequest, data: RequestLaunchTemplateData): Map<string, string> {
  const tags = new Map<string, string>();
  for (const specification of data.TagSpecifications ?? []) {
    if (specification.ResourceType !== 'instance') continue;
    for (const { Key, Value } of specification.Tags ?? []) if (Key !== undefined) tags.set(Key, Value ?? '');
  }
  if (request.launchTemplate !== undefined) {
    tags.set('aws:ec2launchtemplate:id', request.launchTemplate.id);
    tags.set('aws:ec2launchtemplate:version', String(request.launchTemplate.version));
  }
  for (const [key, value] of request.tags) tags.set(key, value);
  return tags;
}
