import type { Ec2Instance } from '../groups/ec2.ts';
import type { Role } from '../groups/group.ts';

/** What EC2 and Auto Scaling report about an instance that has the name of a request. */
export interface InstanceFacts {
  readonly instanceId: string;
  readonly state: Ec2Instance['state'];
  /** The names that its Node may have: its private DNS name and its id, in lower case. */
  readonly nodeNames: readonly string[];
  readonly accountId: string;
  readonly vpcId: string | undefined;
  readonly instanceProfileArn: string | undefined;
  /** The tag `aws:autoscaling:groupName`, which only AWS can set. */
  readonly groupTag: string | undefined;
  /** The managed group that lists it. */
  readonly group: GroupFacts | undefined;
  /** Epoch milliseconds. EC2 gives an instance that is started again a new one. */
  readonly launchedAt: number | undefined;
  /** When its root volume was attached, in epoch milliseconds. A later time than the launch means a replaced volume. */
  readonly rootVolumeAttachedAt: number | undefined;
  /** When it last left Standby or a warm pool, in epoch milliseconds. */
  readonly returnedAt: number | undefined;
  readonly addresses: InstanceAddresses;
}

export interface GroupFacts {
  readonly autoScalingGroupName: string;
  readonly role: Role;
  readonly lifecycleState: string;
}

/** Every name and address of its network interfaces, in canonical form. */
export interface InstanceAddresses {
  readonly dnsNames: readonly string[];
  readonly primary: readonly string[];
  /** They include the addresses that the VPC CNI gives to pods. */
  readonly secondary: readonly string[];
  readonly publicDnsNames: readonly string[];
  readonly public: readonly string[];
}

/** The Node that has the name of a request. */
export interface NodeFacts {
  /** The instance of its providerID; undefined until a cloud provider sets it. */
  readonly instanceId: string | undefined;
  /** The state of that instance; undefined if EC2 does not know it any more. */
  readonly instanceState: Ec2Instance['state'] | undefined;
  readonly isReady: boolean;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** The addresses in its status, in canonical form. */
  readonly addresses: readonly string[];
}

/** A Node by its name. */
export interface OtherNode extends Pick<NodeFacts, 'isReady'> {
  readonly name: string;
}

/** What a deployment trusts. */
export interface CertificateSettings {
  /** The instances of other accounts are not this cluster's. */
  readonly accountId: string;
  /** Empty for any VPC: then an operator decides about a name that exists in two VPCs. */
  readonly vpcId: string;
  /** A role without an entry may have any profile. */
  readonly instanceProfiles: readonly { readonly role: Role; readonly instanceProfile: string }[];
  /** How long after its launch an instance may join with a credential that names no instance. */
  readonly joinWindowSeconds: number;
  /** Whether secondary addresses are never approved, even if the status of the Node lists them. */
  readonly primaryAddressesOnly: boolean;
  readonly publicAddresses: boolean;
}

/**
 * An IP address in its one canonical form, so that texts can be compared; undefined for anything else. An IPv4 address inside an IPv6
 * one stays an IPv6 address, which no instance has.
 */
export function canonicalAddress(text: string): string | undefined {
  if (/^(?:\d{1,3}\.){3}\d{1,3}$/.test(text))
    return text.split('.').every((part) => Number(part) <= 255 && String(Number(part)) === part)
      ? text
      : undefined;
  if (!text.includes(':') || !/^[0-9a-fA-F:.]+$/.test(text)) return undefined;
  return URL.canParse(`http://[${text}]/`) ? new URL(`http://[${text}]/`).hostname.slice(1, -1) : undefined;
}
