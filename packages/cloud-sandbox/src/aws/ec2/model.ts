import type { InstanceStateName, RequestLaunchTemplateData } from '@aws-sdk/client-ec2';
import type { PutAwsEvent, ServiceParts } from '../integration.ts';
import type { ClientTokens } from './client-tokens.ts';
import type { Network, Subnet } from './network.ts';

/** How long EC2 takes, in simulated seconds. */
export interface Ec2Timings {
  readonly bootSeconds: number;
  readonly stopSeconds: number;
  readonly terminateSeconds: number;
}

export interface SimulatedInterface {
  readonly id: string;
  readonly deviceIndex: number;
  readonly subnet: Subnet;
  /** The first is the primary one. */
  readonly addresses: string[];
}

/** InstanceLifecycle of EC2's API, with the name for an instance that is none of them. */
export type InstanceLifecycle =
  | 'spot'
  | 'capacity-block'
  | 'interruptible-capacity-reservation'
  | 'on-demand';

export interface SimulatedInstance {
  readonly instanceId: string;
  readonly reservationId: string;
  readonly instanceType: string;
  readonly imageId: string;
  readonly subnet: Subnet;
  readonly privateIpAddress: string;
  readonly privateDnsName: string;
  readonly hostnameType: 'ip-name' | 'resource-name';
  /** The root volume; replaced ones are deleted. */
  volumeId: string;
  /** The first is the primary one. */
  readonly interfaces: SimulatedInterface[];
  readonly securityGroupIds: readonly string[];
  readonly lifecycle: InstanceLifecycle;
  readonly iamInstanceProfileArn: string | undefined;
  readonly userData: string | undefined;
  readonly tags: Map<string, string>;
  /** Milliseconds since the epoch; EC2 gives an instance that is started again a new one. */
  launchedAt: number;
  /** Stays: the primary network interface is attached since then. */
  readonly firstLaunchedAt: number;
  state: InstanceStateName;
  stateReason: { readonly code: string; readonly message: string } | undefined;
  terminatedAt: number | undefined;
  consoleOutput: string;
}

export interface LaunchTemplateVersion {
  readonly number: number;
  readonly createdAt: number;
  readonly description: string | undefined;
  readonly data: RequestLaunchTemplateData;
}

export interface SimulatedLaunchTemplate {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly versions: Map<number, LaunchTemplateVersion>;
  readonly tags: Map<string, string>;
  defaultVersion: number;
  latestVersion: number;
}

/** Called after an instance has entered the state. */
export type InstanceStateListener = (instance: SimulatedInstance, state: InstanceStateName) => void;

/** Called when the disk of a running instance is that of a new one. The instance reboots, and has booted after so many seconds. */
export type RootVolumeListener = (instance: SimulatedInstance, bootSeconds: number) => void;

/** Everything that EC2 remembers. */
export interface Ec2World extends ServiceParts {
  readonly putAwsEvent: PutAwsEvent;
  readonly timings: Ec2Timings;
  readonly network: Network;
  readonly instances: Map<string, SimulatedInstance>;
  readonly launchTemplates: Map<string, SimulatedLaunchTemplate>;
  readonly clientTokens: ClientTokens;
  readonly stateListeners: Set<InstanceStateListener>;
  readonly rootVolumeListeners: Set<RootVolumeListener>;
  /** Called for an instance whose addresses have changed. */
  readonly addressListeners: Set<(instance: SimulatedInstance) => void>;
  readonly rebalanceListeners: Set<(instance: SimulatedInstance) => void>;
  /** `type:zone` that cannot be had now. */
  readonly shortages: Set<string>;
}
