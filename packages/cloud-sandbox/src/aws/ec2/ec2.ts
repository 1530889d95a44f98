import type { PutAwsEvent, ServiceParts } from '../integration.ts';
import { keepPast, noPast, type Past } from '../past.ts';
import type { AwsService } from '../service.ts';
import { type HealthEvent, healthEvent } from './health.ts';
import { instanceOperations } from './instance-operations.ts';
import { describeInstanceTypes } from './instance-types.ts';
import { interfaceOperations } from './interface-operations.ts';
import { attachInterface } from './interfaces.ts';
import {
  type CapacityReservationInterruption,
  interruptCapacityReservation,
  interruptSpot,
  kill,
  recommendRebalance,
} from './interruptions.ts';
import { type LaunchRequest, launchInstance } from './launch.ts';
import { launchTemplateOperations } from './launch-template-operations.ts';
import { resolveLaunchTemplate } from './launch-templates.ts';
import { findInstances, peekInstance, replaceRootVolume, start, stop, terminate } from './lifecycle.ts';
import type {
  Ec2Timings,
  Ec2World,
  InstanceStateListener,
  RootVolumeListener,
  SimulatedInstance,
} from './model.ts';
import { createNetwork, type Vpc } from './network.ts';
import { networkOperations } from './network-operations.ts';
import { pastWorld } from './past-world.ts';
import { tagOperations } from './tag-operations.ts';
import { vpcOperations } from './vpc-operations.ts';

export interface Ec2Options extends ServiceParts {
  readonly putAwsEvent: PutAwsEvent;
  readonly timings?: Partial<Ec2Timings>;
  /** Remembers what instances were, for reads that are behind. */
  readonly keepsPast?: boolean;
}

const defaultTimings: Ec2Timings = { bootSeconds: 15, stopSeconds: 10, terminateSeconds: 10 };

const operationsOf = (world: Ec2World, past: Past<Ec2World>) => ({
  ...instanceOperations(world, past),
  ...launchTemplateOperations(world),
  ...tagOperations(world, past),
  ...networkOperations(world),
  ...vpcOperations(world),
  ...interfaceOperations(world),
  DescribeInstanceTypes: describeInstanceTypes,
});

/**
 * Amazon EC2 as far as a cluster's nodes need it, and what may happen to its instances. One VPC with three subnets and a security group
 * exists; CreateVpc and `instances.addVpc` add others, and each instance has a root volume. Some twenty instance types exist. Client
 * tokens of launch templates count and are never forgotten; those of other requests do nothing.
 */
export interface Ec2 extends AwsService {
  readonly operations: ReturnType<typeof operationsOf>;
  readonly instances: Ec2Instances;
  /** Called after every change of state: a kubelet starts with `running` and ends with `shutting-down` or `stopping`. */
  onInstanceStateChange(listener: InstanceStateListener): () => void;
  onRootVolumeReplaced(listener: RootVolumeListener): () => void;
  onAddressesChanged(listener: (instance: SimulatedInstance) => void): () => void;
  onRebalanceRecommendation(listener: (instance: SimulatedInstance) => void): () => void;
  readonly accidents: Ec2Accidents;
}

/** How other services of the account use EC2. */
type Ec2Instances = ReturnType<typeof instancesOf>;

/** What may happen to instances from outside. */
type Ec2Accidents = ReturnType<typeof accidentsOf>;

const instancesOf = (world: Ec2World) => ({
  launch: (request: LaunchRequest): SimulatedInstance => launchInstance(world, request),
  /** Undefined for an instance that EC2 does not show (any more). */
  find: (instanceId: string): SimulatedInstance | undefined => peekInstance(world, instanceId),
  terminate: (instance: SimulatedInstance): void => terminate(world, instance),
  stop: (instance: SimulatedInstance): void => stop(world, instance),
  start: (instance: SimulatedInstance): void => start(world, instance),
  replaceRootVolume: (instance: SimulatedInstance): void => replaceRootVolume(world, instance),
  /** Another network interface, as the VPC CNI attaches them; gives its id. */
  attachInterface: (instanceId: string): string => attachInterface(world, instanceId),
  resolveLaunchTemplate: (specification: Parameters<typeof resolveLaunchTemplate>[1]) =>
    resolveLaunchTemplate(world, specification),
  subnet: (subnetId: string) => world.network.subnet(subnetId),
  subnets: () => world.network.subnets,
  /** By default its addresses are those of the first VPC, and so are the private DNS names of its instances. */
  addVpc: (options?: { readonly secondOctet?: number }): Vpc => world.network.addVpc(options),
  /** From now on a new instance takes the address, and with it the name, of one that has terminated, if there is one in its subnet. */
  reuseAddresses: (): void => world.network.reuseAddresses(),
  /** Throws the errors of DescribeInstances. */
  require: (instanceIds: readonly string[]) => findInstances(world, instanceIds),
});

const accidentsOf = (world: Ec2World) => ({
  /** A warning now, the end two minutes later. Throws unless the instance is a Spot Instance. */
  interruptSpot: (instanceId: string, action?: 'terminate' | 'stop') =>
    interruptSpot(world, instanceId, action),
  recommendRebalance: (instanceId: string) => recommendRebalance(world, instanceId),
  interruptCapacityReservation: (request: CapacityReservationInterruption) =>
    interruptCapacityReservation(world, request),
  kill: (instanceId: string) => kill(world, instanceId),
  healthEvent: (event: HealthEvent) => healthEvent(world, event),
  /** From now on EC2 has (or has not) this type in this zone. */
  setCapacity: (place: { instanceType: string; availabilityZone: string; available: boolean }): void => {
    const key = `${place.instanceType}:${place.availabilityZone}`;
    if (place.available) world.shortages.delete(key);
    else world.shortages.add(key);
  },
  /** What the instance has written to its console so far. */
  writeConsole: (instanceId: string, text: string): void => {
    for (const instance of findInstances(world, [instanceId])) instance.consoleOutput += text;
  },
});

export function createEc2(options: Ec2Options): Ec2 {
  const { clock, random, accountId, region, putAwsEvent } = options;
  const world: Ec2World = {
    clock,
    random,
    accountId,
    region,
    putAwsEvent,
    timings: { ...defaultTimings, ...options.timings },
    network: createNetwork(region),
    instances: new Map(),
    launchTemplates: new Map(),
    clientTokens: new Map(),
    stateListeners: new Set(),
    rootVolumeListeners: new Set(),
    addressListeners: new Set(),
    rebalanceListeners: new Set(),
    shortages: new Set(),
  };
  const past = options.keepsPast ? keepPast(clock, () => pastWorld(world)) : noPast;
  return {
    signingName: 'ec2',
    operations: operationsOf(world, past),
    instances: instancesOf(world),
    accidents: accidentsOf(world),
    onInstanceStateChange: (listener) => subscribe(world.stateListeners, listener),
    onRootVolumeReplaced: (listener) => subscribe(world.rootVolumeListeners, listener),
    onAddressesChanged: (listener) => subscribe(world.addressListeners, listener),
    onRebalanceRecommendation: (listener) => subscribe(world.rebalanceListeners, listener),
  };
}

function subscribe<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
