import type {
  _InstanceType,
  DescribeInstancesRequest,
  DescribeInstancesResult,
  Instance,
  InstanceStateName,
  Reservation,
} from '@aws-sdk/client-ec2';
import { groupBy } from '../../simulation/group-by.ts';
import { page, pageSize } from '../paging.ts';
import { ec2Errors } from './errors.ts';
import { type FilterFields, keep, tagFields } from './filters.ts';
import { architectureOf } from './instance-types.ts';
import { toInstanceInterface } from './interface-operations.ts';
import { findInstances, visibleInstances } from './lifecycle.ts';
import type { Ec2World, SimulatedInstance } from './model.ts';

const filterFields: FilterFields<SimulatedInstance> = {
  ...tagFields,
  'instance-id': (instance) => [instance.instanceId],
  'instance-state-name': (instance) => [instance.state],
  'instance-type': (instance) => [instance.instanceType],
  'instance-lifecycle': (instance) => [reportedLifecycle(instance)],
  'image-id': (instance) => [instance.imageId],
  'private-dns-name': (instance) => (gone(instance) ? [] : [instance.privateDnsName]),
  'private-ip-address': (instance) => (gone(instance) ? [] : [instance.privateIpAddress]),
  'network-interface.private-dns-name': (instance) => (gone(instance) ? [] : [instance.privateDnsName]),
  'network-interface.network-interface-id': (instance) =>
    gone(instance) ? [] : instance.interfaces.map(({ id }) => id),
  'network-interface.addresses.private-ip-address': (instance) =>
    gone(instance) ? [] : instance.interfaces.flatMap(({ addresses }) => addresses),
  'vpc-id': (instance) => (gone(instance) ? [] : [instance.subnet.vpcId]),
  'subnet-id': (instance) => (gone(instance) ? [] : [instance.subnet.subnetId]),
  'availability-zone': (instance) => [instance.subnet.availabilityZone],
  'reservation-id': (instance) => [instance.reservationId],
  'iam-instance-profile.arn': (instance) => [instance.iamInstanceProfileArn],
};

/**
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeInstances.html: by ids (all must exist) or by
 * filters and pages of 5 to 1,000.
 */
export function describeInstances(world: Ec2World, input: DescribeInstancesRequest): DescribeInstancesResult {
  const { InstanceIds: ids, MaxResults: maxResults } = input;
  if (ids !== undefined && ids.length > 0 && maxResults !== undefined) {
    throw ec2Errors.invalidCombination(
      'The parameter instancesSet cannot be used with the parameter maxResults',
    );
  }
  if (maxResults !== undefined && (maxResults < 5 || maxResults > 1000)) {
    throw ec2Errors.invalidParameter(
      `Value ( ${maxResults} ) for parameter maxResults is invalid. Expecting a value between 5 and 1000.`,
    );
  }
  const all = ids === undefined || ids.length === 0 ? visibleInstances(world) : findInstances(world, ids);
  const { items, nextToken } = page(keep(all, input.Filters, filterFields), {
    nextToken: input.NextToken,
    size: pageSize(maxResults, { default: Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
    invalidToken: ec2Errors.invalidNextToken,
  });
  return { Reservations: reservations(world, items), NextToken: nextToken };
}

function reservations(world: Ec2World, instances: readonly SimulatedInstance[]): Reservation[] {
  const byId = groupBy(instances, (instance) => instance.reservationId);
  return [...byId].map(([reservationId, members]) => ({
    ReservationId: reservationId,
    OwnerId: world.accountId,
    Groups: [],
    Instances: members.map((instance) => toInstance(world, instance)),
  }));
}

/** EC2 sends no lifecycle for an On-Demand Instance. */
const reportedLifecycle = ({ lifecycle }: SimulatedInstance): string | undefined =>
  lifecycle === 'on-demand' ? undefined : lifecycle;

/** Private address and name go with the network interface. */
const gone = (instance: SimulatedInstance): boolean => instance.state === 'terminated';

const stateCodes: Readonly<Record<InstanceStateName, number>> = {
  pending: 0,
  running: 16,
  'shutting-down': 32,
  terminated: 48,
  stopping: 64,
  stopped: 80,
};

export const toState = (state: InstanceStateName): { Code: number; Name: InstanceStateName } => ({
  Code: stateCodes[state],
  Name: state,
});

/** The instance in EC2's own shape. */
export function toInstance(world: Ec2World, instance: SimulatedInstance): Instance {
  return {
    ...placement(instance),
    ...(gone(instance) ? { PrivateDnsName: '', PublicDnsName: '' } : attachments(world, instance)),
    InstanceId: instance.instanceId,
    ImageId: instance.imageId,
    InstanceType: instance.instanceType as _InstanceType,
    LaunchTime: new Date(instance.launchedAt),
    State: toState(instance.state),
    StateTransitionReason: instance.stateReason?.message ?? '',
    StateReason: instance.stateReason && {
      Code: instance.stateReason.code,
      Message: instance.stateReason.message,
    },
    Tags: [...instance.tags].map(([Key, Value]) => ({ Key, Value })),
    ...(instance.lifecycle !== 'on-demand' && { InstanceLifecycle: instance.lifecycle }),
  };
}

function placement(instance: SimulatedInstance): Partial<Instance> {
  return {
    AmiLaunchIndex: 0,
    Architecture: architectureOf(instance.instanceType),
    Hypervisor: 'xen',
    VirtualizationType: 'hvm',
    RootDeviceName: '/dev/xvda',
    RootDeviceType: 'ebs',
    EnaSupport: true,
    Monitoring: { State: 'disabled' },
    Placement: { AvailabilityZone: instance.subnet.availabilityZone, GroupName: '', Tenancy: 'default' },
    PrivateDnsNameOptions: {
      HostnameType: instance.hostnameType,
      EnableResourceNameDnsARecord: instance.hostnameType === 'resource-name',
      EnableResourceNameDnsAAAARecord: false,
    },
    MetadataOptions: {
      State: 'applied',
      HttpTokens: 'required',
      HttpPutResponseHopLimit: 1,
      HttpEndpoint: 'enabled',
    },
  };
}

function attachments(world: Ec2World, instance: SimulatedInstance): Partial<Instance> {
  return {
    PrivateDnsName: instance.privateDnsName,
    PublicDnsName: '',
    PrivateIpAddress: instance.privateIpAddress,
    SubnetId: instance.subnet.subnetId,
    VpcId: instance.subnet.vpcId,
    SourceDestCheck: true,
    SecurityGroups: instance.securityGroupIds.map((GroupId) => ({ GroupId, GroupName: 'default' })),
    NetworkInterfaces: instance.interfaces.map((one) => toInstanceInterface(world, { instance, one })),
    BlockDeviceMappings: [
      {
        DeviceName: '/dev/xvda',
        Ebs: {
          VolumeId: instance.volumeId,
          Status: 'attached',
          DeleteOnTermination: true,
          AttachTime: new Date(instance.launchedAt),
        },
      },
    ],
    ...(instance.iamInstanceProfileArn === undefined
      ? {}
      : { IamInstanceProfile: { Arn: instance.iamInstanceProfileArn, Id: profileId(instance) } }),
  };
}

const profileId = (instance: SimulatedInstance): string =>
  `AIPA${instance.reservationId.slice(2).toUpperCase().padEnd(17, '0')}`;
