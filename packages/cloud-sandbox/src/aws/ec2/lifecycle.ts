import type { InstanceStateName } from '@aws-sdk/client-ec2';
import { ec2Errors } from './errors.ts';
import type { Ec2World, SimulatedInstance } from './model.ts';

/** Terminated instances stay visible for about an hour (EC2 user guide, "Terminate Amazon EC2 instances"). */
const terminatedVisibleMilliseconds = 3_600_000;

const idForm = /^i-(?:[0-9a-f]{8}|[0-9a-f]{17})$/;

/** The instance, or undefined when EC2 no longer shows it. */
export function peekInstance(world: Ec2World, instanceId: string): SimulatedInstance | undefined {
  const instance = world.instances.get(instanceId);
  if (instance?.terminatedAt === undefined) return instance;
  if (world.clock.now() - instance.terminatedAt < terminatedVisibleMilliseconds) return instance;
  world.instances.delete(instanceId);
  return undefined;
}

/** Throws InvalidInstanceID.Malformed or .NotFound, as EC2 does: for all ids or for none. */
export function findInstances(world: Ec2World, instanceIds: readonly string[]): SimulatedInstance[] {
  const malformed = instanceIds.find((id) => !idForm.test(id));
  if (malformed !== undefined) throw ec2Errors.malformedInstanceId(malformed);
  const found = instanceIds.map((id) => peekInstance(world, id));
  const missing = instanceIds.filter((_id, index) => found[index] === undefined);
  if (missing.length > 0) throw ec2Errors.instancesNotFound(missing);
  return found.filter((instance) => instance !== undefined);
}

/** All that EC2 still shows. */
export function visibleInstances(world: Ec2World): SimulatedInstance[] {
  return [...world.instances.keys()]
    .map((id) => peekInstance(world, id))
    .filter((instance) => instance !== undefined);
}

/** Reports every state to the event bus and the listeners. */
function enterState(world: Ec2World, instance: SimulatedInstance, state: InstanceStateName): void {
  instance.state = state;
  if (state === 'terminated') {
    instance.terminatedAt = world.clock.now();
    for (const { subnet, addresses } of instance.interfaces)
      for (const address of addresses) world.network.giveBackAddress(subnet, address);
  }
  world.putAwsEvent({
    source: 'aws.ec2',
    detailType: 'EC2 Instance State-change Notification',
    resources: [instanceArn(world, instance.instanceId)],
    detail: { 'instance-id': instance.instanceId, state },
  });
  for (const listener of world.stateListeners) listener(instance, state);
}

export const instanceArn = (world: Ec2World, instanceId: string): string =>
  `arn:aws:ec2:${world.region}:${world.accountId}:instance/${instanceId}`;

/** Lets the time of a transition pass; another transition that came first has overtaken it. */
function afterwards(
  world: Ec2World,
  instance: SimulatedInstance,
  step: { readonly seconds: number; readonly to: InstanceStateName },
): void {
  const from = instance.state;
  world.clock.after(step.seconds * 1000, () => {
    if (instance.state === from) enterState(world, instance, step.to);
  });
}

export function boot(world: Ec2World, instance: SimulatedInstance): void {
  enterState(world, instance, 'pending');
  afterwards(world, instance, { seconds: world.timings.bootSeconds, to: 'running' });
}

export interface StateReason {
  readonly code: string;
  readonly message: string;
}

const userShutdown: StateReason = {
  code: 'Client.UserInitiatedShutdown',
  message: 'Client.UserInitiatedShutdown: User initiated shutdown',
};

/** Nothing happens to an instance that is already going. */
export function terminate(
  world: Ec2World,
  instance: SimulatedInstance,
  reason: StateReason = userShutdown,
): void {
  if (instance.state === 'shutting-down' || instance.state === 'terminated') return;
  instance.stateReason = reason;
  enterState(world, instance, 'shutting-down');
  afterwards(world, instance, { seconds: world.timings.terminateSeconds, to: 'terminated' });
}

/** Throws IncorrectInstanceState unless it runs; stopping twice is not an error. */
export function stop(world: Ec2World, instance: SimulatedInstance, reason: StateReason = userShutdown): void {
  if (instance.state === 'stopped' || instance.state === 'stopping') return;
  if (instance.state !== 'running') throw ec2Errors.incorrectInstanceState(instance.instanceId, 'stopped');
  instance.stateReason = reason;
  enterState(world, instance, 'stopping');
  afterwards(world, instance, { seconds: world.timings.stopSeconds, to: 'stopped' });
}

/** Throws IncorrectInstanceState unless it is stopped; starting twice is not an error. */
export function start(world: Ec2World, instance: SimulatedInstance): void {
  if (instance.state === 'running' || instance.state === 'pending') return;
  if (instance.state !== 'stopped') throw ec2Errors.incorrectInstanceState(instance.instanceId, 'started');
  instance.stateReason = undefined;
  instance.launchedAt = world.clock.now();
  boot(world, instance);
}

/** CreateReplaceRootVolumeTask: the instance stays `running` and reboots from a new volume. */
export function replaceRootVolume(world: Ec2World, instance: SimulatedInstance): void {
  instance.volumeId = `vol-0${world.random.hex(16)}`;
  instance.consoleOutput = '';
  for (const listener of world.rootVolumeListeners) listener(instance, world.timings.bootSeconds);
}
