import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { instanceIdSource } from '../base/instance-id.ts';

/** The facts from EC2 that the Node of an instance may be named after. */
export interface NamedInstance {
  readonly instanceId: string;
  readonly privateDnsName?: string | undefined;
  readonly privateIpAddress?: string | undefined;
  readonly availabilityZone?: string | undefined;
}

/**
 * What names one Node for good: a Node that is created later under the same name has another uid. The API server sends both of every Node;
 * only the type leaves them open.
 */
export const identityOfNode = ({
  metadata,
}: Pick<Node, 'metadata'>): { readonly name: string; readonly uid: string } => ({
  name: metadata?.name ?? '',
  uid: metadata?.uid ?? '',
});

export const nameOfNode = (node: Pick<Node, 'metadata'>): string => identityOfNode(node).name;

/** The forms that the AWS cloud provider reads: `aws:///zone/id`, `aws:////id`, and the bare id. */
const providerIdPattern = new RegExp(`^(?:aws:///[^/]*/)?(${instanceIdSource})$`);

/** The EC2 instance behind a Node; undefined for a Node of another kind (Fargate, another cloud, none yet). */
export function instanceIdOf(providerID: string | undefined): string | undefined {
  return providerIdPattern.exec(providerID ?? '')?.[1];
}

/** EC2 names instances by their address (`ip-10-0-0-7`) or by their id, with or without a domain. */
const addressNamePattern = /^ip-(\d+-\d+-\d+-\d+)(?:\.|$)/;
const idNamePattern = new RegExp(`^(${instanceIdSource})(?:\\.|$)`);

const addressIn = (name = ''): string | undefined => addressNamePattern.exec(name)?.[1]?.replaceAll('-', '.');

/** Whether the name is made from an address, so that only the address of the instance shows whose name it is. */
export const isNamedByAddress = (name: string | undefined): boolean => addressIn(name) !== undefined;

/**
 * Whether EC2 gives this name to another instance. A kubelet itself writes the providerID of its Node when it registers, so it can claim
 * any instance. The name of the Node is the one in its certificate. A name that is not in a form of EC2 proves nothing.
 */
export function isNameOfAnother(name: string, instance: NamedInstance): boolean {
  const id = idNamePattern.exec(name)?.[1];
  if (id !== undefined) return id !== instance.instanceId;
  const address = addressIn(name);
  const own = instance.privateIpAddress ?? addressIn(instance.privateDnsName);
  return address !== undefined && own !== undefined && address !== own;
}

/** The first parts of the names that EC2 gives an instance, without a domain: `ip-10-0-0-7` and its id. */
export function hostNamesOf({
  instanceId,
  privateDnsName,
  privateIpAddress,
}: NamedInstance): readonly string[] {
  const address = privateIpAddress ?? addressIn(privateDnsName?.toLowerCase());
  return [...(address === undefined ? [] : [`ip-${address.replaceAll('.', '-')}`]), instanceId];
}

/** Whether a Node belongs to an instance: its providerID names the instance, and its name is not that of another one. */
export const isNodeOf = (node: Node, instance: NamedInstance): boolean =>
  instanceIdOf(node.spec?.providerID) === instance.instanceId && !isNameOfAnother(nameOfNode(node), instance);

/**
 * The names that the Node of an instance usually has, most likely first: its private DNS name (used by the AWS cloud provider), its id
 * (kops, resource-based naming), and the default DNS names of its address. Each is a guess that the providerID of the Node has to confirm.
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

/** EC2's default DNS domain in the region of a zone. */
function domainOf(availabilityZone: string | undefined): string | undefined {
  const region = /^([a-z]{2}(?:-[a-z]+)+-\d)/.exec(availabilityZone ?? '')?.[1];
  if (region === undefined) return undefined;
  return region === 'us-east-1' ? 'ec2.internal' : `${region}.compute.internal`;
}
