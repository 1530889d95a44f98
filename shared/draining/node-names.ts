import { instanceIdSource } from '../base/instance-id.ts';
/** What EC2 says of an instance that its Node may be named after. */
export interface NamedInstance {
  readonly instanceId: string;
  readonly privateDnsName?: string | undefined;
  readonly privateIpAddress?: string | undefined;
  readonly availabilityZone?: string | undefined;
}

/** The forms that the AWS cloud provider reads: `aws:///zone/id`, `aws:////id`, and the bare id. */
const providerIdPattern = new RegExp(`^(?:aws:///[^/]*/)?(${instanceIdSource})$`);

/** The EC2 instance behind a Node; undefined for a Node of another kind (Fargate, another cloud, none yet). */
export function instanceIdOf(providerID: string | undefined): string | undefined {
  return providerIdPattern.exec(providerID ?? '')?.[1];
}

/**
 * Names under which the Node of an instance is usually found, likeliest first: its private DNS name (what the AWS cloud
 * provider uses), its id (kops, resource-based naming), the default DNS names of its address. Every name is a guess that
 * only the Node's providerID confirms.
 */
export function likelyNodeNames(instance: NamedInstance): readonly string[] {
  const domain = domainOf(instance.availabilityZone);
  const host = instance.privateIpAddress && `ip-${instance.privateIpAddress.replaceAll('.', '-')}`;
  const derived = host && domain ? [`${host}.${domain}`] : [];
  const names = instance.privateDnsName
    ? [instance.privateDnsName, instance.instanceId]
    : [...derived, instance.instanceId];
  const resourceName = domain ? [`${instance.instanceId}.${domain}`] : [];
  return [...new Set([...names, ...resourceName].map((name) => name.toLowerCase()))];
}

/** EC2's default DNS domain of a zone's region. */
function domainOf(availabilityZone: string | undefined): string | undefined {
  const region = /^([a-z]{2}(?:-[a-z]+)+-\d)/.exec(availabilityZone ?? '')?.[1];
  if (region === undefined) return undefined;
  return region === 'us-east-1' ? 'ec2.internal' : `${region}.compute.internal`;
}
