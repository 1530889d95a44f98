import type {
  DescribeInstanceAttributeRequest,
  DescribeInstanceStatusRequest,
  DescribeInstanceStatusResult,
  GetConsoleOutputRequest,
  GetConsoleOutputResult,
  InstanceAttribute,
  InstanceStateChange,
  Reservation,
  RunInstancesRequest,
  StartInstancesRequest,
  StartInstancesResult,
  StopInstancesRequest,
  StopInstancesResult,
  TerminateInstancesRequest,
  TerminateInstancesResult,
} from '@aws-sdk/client-ec2';
import type { Past } from '../past.ts';
import type { CallContext } from '../service.ts';
import { describeInstances, toInstance, toState } from './describe-instances.ts';
import { ec2Errors } from './errors.ts';
import { launchInstance, lifecycleOf } from './launch.ts';
import { resolveLaunchTemplate } from './launch-templates.ts';
import { findInstances, start, stop, terminate, visibleInstances } from './lifecycle.ts';
import type { Ec2World, SimulatedInstance } from './model.ts';

type Stale = Pick<CallContext, 'staleSeconds'>;

/** The operations on instances, as an operator calls them. */
export const instanceOperations = (world: Ec2World, past: Past<Ec2World>) => ({
  RunInstances: (input: RunInstancesRequest) => runInstances(world, input),
  DescribeInstances: (input: Parameters<typeof describeInstances>[1], call?: Stale) =>
    describeInstances(past.ago(call?.staleSeconds) ?? world, input),
  DescribeInstanceStatus: (input: DescribeInstanceStatusRequest, call?: Stale) =>
    describeInstanceStatus(past.ago(call?.staleSeconds) ?? world, input),
  TerminateInstances: (input: TerminateInstancesRequest): TerminateInstancesResult => ({
    TerminatingInstances: changeAll(world, input, (instance) => terminate(world, instance)),
  }),
  StopInstances: (input: StopInstancesRequest): StopInstancesResult => ({
    StoppingInstances: changeAll(world, input, (instance) => stop(world, instance)),
  }),
  StartInstances: (input: StartInstancesRequest): StartInstancesResult => ({
    StartingInstances: changeAll(world, input, (instance) => start(world, instance)),
  }),
  GetConsoleOutput: (input: GetConsoleOutputRequest) => getConsoleOutput(world, input),
  DescribeInstanceAttribute: (input: DescribeInstanceAttributeRequest) =>
    describeInstanceAttribute(world, input),
});

function changeAll(
  world: Ec2World,
  input: { readonly InstanceIds: string[] | undefined; readonly DryRun?: boolean | undefined },
  change: (instance: SimulatedInstance) => void,
): InstanceStateChange[] {
  const { InstanceIds: ids = [] } = input;
  if (ids.length === 0) throw ec2Errors.missingParameter('InstanceIds');
  const instances = findInstances(world, ids);
  if (input.DryRun === true) throw ec2Errors.dryRun();
  return instances.map((instance) => {
    const previous = instance.state;
    change(instance);
    return {
      InstanceId: instance.instanceId,
      CurrentState: toState(instance.state),
      PreviousState: toState(previous),
    };
  });
}

function runInstances(world: Ec2World, input: RunInstancesRequest): Reservation {
  const count = input.MaxCount ?? 1;
  const reservationId = `r-0${world.random.hex(16)}`;
  const launchTemplate = input.LaunchTemplate && resolveLaunchTemplate(world, input.LaunchTemplate);
  if (input.DryRun === true) throw ec2Errors.dryRun();
  const instances = Array.from({ length: count }, () =>
    launchInstance(world, {
      launchTemplate,
      reservationId,
      instanceType: input.InstanceType,
      imageId: input.ImageId,
      subnetId: input.SubnetId,
      userData: input.UserData,
      lifecycle: lifecycleOf(input.InstanceMarketOptions?.MarketType),
      iamInstanceProfileArn: input.IamInstanceProfile?.Arn,
      securityGroupIds: input.SecurityGroupIds,
      hostnameType: input.PrivateDnsNameOptions?.HostnameType,
      tags: requestedTags(input),
    }),
  );
  return {
    ReservationId: reservationId,
    OwnerId: world.accountId,
    Groups: [],
    Instances: instances.map((instance) => toInstance(world, instance)),
  };
}

function requestedTags(input: RunInstancesRequest): Map<string, string> {
  const specifications =
    input.TagSpecifications?.filter(({ ResourceType }) => ResourceType === 'instance') ?? [];
  const tags = specifications.flatMap(({ Tags }) => Tags ?? []);
  return new Map(tags.map(({ Key = '', Value = '' }) => [Key, Value]));
}

function getConsoleOutput(world: Ec2World, input: GetConsoleOutputRequest): GetConsoleOutputResult {
  if (input.InstanceId === undefined) throw ec2Errors.missingParameter('InstanceId');
  const [instance] = findInstances(world, [input.InstanceId]);
  return {
    InstanceId: input.InstanceId,
    Output: Buffer.from(instance?.consoleOutput ?? '', 'utf8').toString('base64'),
    Timestamp: new Date(world.clock.now()),
  };
}

/** Running instances only, unless `IncludeAllInstances`; the simulated hardware passes its checks. */
function describeInstanceStatus(
  world: Ec2World,
  input: DescribeInstanceStatusRequest,
): DescribeInstanceStatusResult {
  const all =
    input.InstanceIds === undefined ? visibleInstances(world) : findInstances(world, input.InstanceIds);
  const shown = all.filter(({ state }) => input.IncludeAllInstances === true || state === 'running');
  return {
    InstanceStatuses: shown.map((instance) => ({
      InstanceId: instance.instanceId,
      AvailabilityZone: instance.subnet.availabilityZone,
      InstanceState: toState(instance.state),
      InstanceStatus: { Status: instance.state === 'running' ? 'ok' : 'not-applicable' },
      SystemStatus: { Status: instance.state === 'running' ? 'ok' : 'not-applicable' },
    })),
  };
}

/** https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeInstanceAttribute.html, of which the user data is simulated. */
function describeInstanceAttribute(
  world: Ec2World,
  { InstanceId, Attribute }: DescribeInstanceAttributeRequest,
): InstanceAttribute {
  if (InstanceId === undefined) throw ec2Errors.missingParameter('InstanceId');
  if (Attribute !== 'userData')
    throw ec2Errors.invalidParameter(`The attribute ${Attribute ?? ''} is not simulated, only userData.`);
  const [instance] = findInstances(world, [InstanceId]);
  return { InstanceId, UserData: instance?.userData === undefined ? {} : { Value: instance.userData } };
}
