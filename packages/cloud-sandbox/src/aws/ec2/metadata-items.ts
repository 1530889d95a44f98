import type { SimulatedInstance } from './model.ts';

/** What the metadata service knows beside the instance itself. */
export interface MetadataSources {
  readonly region: string;
  /** Undefined if it is in no group. */
  readonly lifecycleOf: (
    instanceId: string,
  ) => { readonly state: string; readonly poolState: string } | undefined;
  /** The role of its instance profile, and credentials of it. */
  readonly roleOf: (
    instance: SimulatedInstance,
  ) => { readonly name: string; readonly credentials: () => object } | undefined;
}

/** https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-instance-metadata.html, as far as nodes read it. Undefined if there is no such item. */
export function metadataItem(
  path: string,
  instance: SimulatedInstance,
  sources: MetadataSources,
): string | undefined {
  const { subnet } = instance;
  const role = sources.roleOf(instance);
  const items: Readonly<Record<string, () => string | undefined>> = {
    'instance-id': () => instance.instanceId,
    'instance-type': () => instance.instanceType,
    'ami-id': () => instance.imageId,
    'local-ipv4': () => instance.privateIpAddress,
    'local-hostname': () => instance.privateDnsName,
    hostname: () => instance.privateDnsName,
    'placement/region': () => sources.region,
    'placement/availability-zone': () => subnet.availabilityZone,
    'services/domain': () => (sources.region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'),
    'instance-life-cycle': () => instance.lifecycle,
    'autoscaling/target-lifecycle-state': () => targetOf(sources.lifecycleOf(instance.instanceId)),
    'iam/security-credentials/': () => role?.name,
    ...(role && {
      [`iam/security-credentials/${role.name}`]: () => JSON.stringify(role.credentials(), null, 2),
    }),
  };
  return items[path === 'iam/security-credentials' ? `${path}/` : path]?.();
}

/**
 * The state that an instance is on its way to, or in:
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/retrieving-target-lifecycle-state-through-imds.html
 */
function targetOf(member: ReturnType<MetadataSources['lifecycleOf']>): string | undefined {
  if (member === undefined) return undefined;
  const { state, poolState } = member;
  if (state.startsWith('Warmed:Terminat')) return 'Warmed:Terminated';
  if (state.startsWith('Warmed:')) return `Warmed:${poolState}`;
  if (state.startsWith('Terminat')) return 'Terminated';
  if (state.startsWith('Detach')) return 'Detached';
  return state === 'EnteringStandby' || state === 'Standby' ? 'Standby' : 'InService';
}
