import type { Taint } from 'kubernetes-types/core/v1.d.ts';
import type { AutoScalingGroup } from '../../groups/group.ts';
import type { NodeShape } from '../plan/new-node.ts';
import { podsResource } from '../plan/requests.ts';
import type { Amounts, Labels } from '../plan/types.ts';
import {
  allocatableOf,
  ephemeralStorageOf,
  type InstanceTypeFacts,
  podsWithoutVpcCni,
} from './instance-capacity.ts';
import { type NodeTemplateTags, nodeTemplatePrefix, nodeTemplateTagsOf } from './node-template-tags.ts';

/** The next instance of a group, as AWS describes it. */
export interface GroupLaunch {
  /** The instance types that the group may launch, or why they are not known. */
  readonly types: readonly [InstanceTypeFacts, ...InstanceTypeFacts[]] | { readonly unknown: string };
  /** The size of its volume, if the launch template has exactly one. */
  readonly volumeGibibytes?: number;
  /** What EKS gives the nodes of a managed node group. */
  readonly nodegroup?: { readonly labels: Labels; readonly taints: readonly Taint[] };
}

/**
 * The node that a group launches next. `unknown`: AWS and the tags of the group do not say enough; the reason has a remedy.
 */
export type DeclaredNode =
  | { readonly status: 'known'; readonly shape: NodeShape; readonly warnings: readonly string[] }
  | { readonly status: 'unknown'; readonly reason: string };

/** The resources that a plan cannot do without. */
const needed = ['cpu', 'memory', podsResource] as const;

/**
 * Declares the next node of a group without a Ready node. Tags win over EKS, and EKS over what the instance type says; of several types, the least of
 * each resource counts. Labels and taints of user data are not read.
 *
 * @param hasVpcCni whether pods get addresses of the instance's network interfaces, which limit their number.
 */
export function declaredNodeOf(
  group: Pick<AutoScalingGroup, 'tags' | 'availabilityZones'>,
  { types, volumeGibibytes, nodegroup }: GroupLaunch,
  hasVpcCni: boolean,
): DeclaredNode {
  const tags = nodeTemplateTagsOf(group);
  const known = 'unknown' in types ? [] : types;
  const allocatable = new Map([
    ...(hasVpcCni ? [] : [[podsResource, podsWithoutVpcCni] as const]),
    ...leastOf(known.map((type) => allocatableOf(type, hasVpcCni))),
    ...(volumeGibibytes === undefined
      ? []
      : [['ephemeral-storage', ephemeralStorageOf(volumeGibibytes)] as const]),
    ...tags.resources,
  ]);
  const lacking = needed.filter((name) => !allocatable.has(name));
  if ('unknown' in types && lacking.length > 0)
    return { status: 'unknown', reason: whyUnknown(types, lacking) };
  return {
    status: 'known',
    shape: {
      labels: { ...labelsOf(group, known), ...nodegroup?.labels, ...tags.labels },
      taints: taintsOf(nodegroup?.taints ?? [], tags),
      allocatable,
      attachLimits: new Map(),
    },
    warnings: [...tags.problems, basisOf(known)],
  };
}

const whyUnknown = ({ unknown }: { readonly unknown: string }, lacking: readonly string[]): string =>
  `it has no Ready node, and ${unknown}: launch one node, or tag the group with ${lacking
    .map((name) => `${nodeTemplatePrefix}resources/${name}`)
    .join(' and ')}`;

function basisOf(types: readonly InstanceTypeFacts[]): string {
  const names = types.map(({ instanceType }) => instanceType);
  const basis = names.length === 0 ? 'its tags' : `its tags and the instance type ${names.join(' or ')}`;
  return `it has no Ready node, so the next one is planned from ${basis}; labels and taints that its user data sets, and attach limits of volumes, are not known`;
}

/** The labels that the kubelet and the cloud provider set on each node. The labels of zones differ by node. */
function labelsOf(
  { availabilityZones = [] }: Pick<AutoScalingGroup, 'availabilityZones'>,
  types: readonly InstanceTypeFacts[],
): Labels {
  const region = /^[a-z]{2}(?:-[a-z]+)+-\d/.exec(availabilityZones[0] ?? '')?.[0];
  const architecture = common(types.map((type) => type.architecture));
  const instanceType = common(types.map((type) => type.instanceType));
  return {
    ...inBoth('kubernetes.io/os', 'beta.kubernetes.io/os', 'linux'),
    ...inBoth('kubernetes.io/arch', 'beta.kubernetes.io/arch', architecture),
    ...inBoth('node.kubernetes.io/instance-type', 'beta.kubernetes.io/instance-type', instanceType),
    ...inBoth('topology.kubernetes.io/region', 'failure-domain.beta.kubernetes.io/region', region),
  };
}

/** Cloud providers still set the label of the older API beside the stable one. */
const inBoth = (stable: string, beta: string, value: string | undefined): Labels =>
  value === undefined ? {} : { [stable]: value, [beta]: value };

/** The value that all have; undefined if they differ. */
const common = <T>([first, ...others]: readonly T[]): T | undefined =>
  others.every((other) => other === first) ? first : undefined;

/** A tag about a key replaces the taint of EKS with that key. */
const taintsOf = (nodegroup: readonly Taint[], { taints }: NodeTemplateTags): readonly Taint[] => [
  ...nodegroup.filter(({ key }) => !taints.some((taint) => taint.key === key)),
  ...taints,
];

/** The least of each resource. A type without it has none. */
function leastOf([first, ...others]: readonly Amounts[]): Amounts {
  return new Map(
    [...(first ?? [])]
      .map(
        ([name, amount]) => [name, Math.min(amount, ...others.map((other) => other.get(name) ?? 0))] as const,
      )
      .filter(([, amount]) => amount > 0),
  );
}
