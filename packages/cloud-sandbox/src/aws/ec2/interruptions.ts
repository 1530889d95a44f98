import { ec2Errors } from './errors.ts';
import { findInstances, instanceArn, type StateReason, stop, terminate } from './lifecycle.ts';
import type { Ec2World, SimulatedInstance } from './model.ts';

const spotNoticeMilliseconds = 120_000;

const spotReason: StateReason = {
  code: 'Server.SpotInstanceTermination',
  message: 'Server.SpotInstanceTermination: Spot instance termination',
};

export interface CapacityReservationInterruption {
  readonly instanceId: string;
  /** Until EC2 takes the instance back. */
  readonly noticeSeconds?: number;
  /** One variant of this event documents `resources` as a bare string. */
  readonly bareResource?: boolean;
}

/**
 * Two minutes' notice, then EC2 takes the instance, hook or no hook. The ARN carries the zone and no account:
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-instance-termination-notices.html
 */
export function interruptSpot(
  world: Ec2World,
  instanceId: string,
  action: 'terminate' | 'stop' = 'terminate',
): void {
  const instance = spotInstance(world, instanceId);
  world.putAwsEvent({
    source: 'aws.ec2',
    detailType: 'EC2 Spot Instance Interruption Warning',
    resources: [`arn:aws:ec2:${instance.subnet.availabilityZone}:instance/${instanceId}`],
    detail: { 'instance-id': instanceId, 'instance-action': action },
  });
  world.clock.after(spotNoticeMilliseconds, () => {
    if (action === 'terminate') terminate(world, instance, spotReason);
    else if (instance.state === 'running') stop(world, instance, spotReason);
  });
}

/** https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/rebalance-recommendations.html */
export function recommendRebalance(world: Ec2World, instanceId: string): void {
  const instance = spotInstance(world, instanceId);
  world.putAwsEvent({
    source: 'aws.ec2',
    detailType: 'EC2 Instance Rebalance Recommendation',
    resources: [instanceArn(world, instanceId)],
    detail: { 'instance-id': instanceId },
  });
  for (const listener of world.rebalanceListeners) listener(instance);
}

/**
 * EC2 warns only instances of capacity blocks and of interruptible capacity reservations:
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/monitor-interruptible-cr.html
 */
export function interruptCapacityReservation(
  world: Ec2World,
  request: CapacityReservationInterruption,
): void {
  const instance = reservedInstance(world, request.instanceId);
  const noticeMilliseconds = (request.noticeSeconds ?? 600) * 1000;
  const arn = instanceArn(world, instance.instanceId);
  world.putAwsEvent({
    source: 'aws.ec2',
    detailType: 'EC2 Capacity Reservation Instance Interruption Warning',
    resources: request.bareResource === true ? arn : [arn],
    detail: {
      'instance-id': instance.instanceId,
      'instance-action': 'terminate',
      'instance-termination-time': utcSeconds(world.clock.now() + noticeMilliseconds),
      'availability-zone-id': instance.subnet.availabilityZoneId,
      'instance-lifecycle': instance.lifecycle,
    },
  });
  world.clock.after(noticeMilliseconds, () =>
    terminate(world, instance, {
      code: 'Server.CapacityReservationExpired',
      message: 'Server.CapacityReservationExpired: The capacity reservation has ended',
    }),
  );
}

function reservedInstance(world: Ec2World, instanceId: string): SimulatedInstance {
  const [instance] = findInstances(world, [instanceId]);
  if (
    instance?.lifecycle !== 'capacity-block' &&
    instance?.lifecycle !== 'interruptible-capacity-reservation'
  )
    throw ec2Errors.notReserved(instanceId);
  return instance;
}

/** The instance dies at once: no hook, no warning. */
export function kill(world: Ec2World, instanceId: string): void {
  for (const instance of findInstances(world, [instanceId])) {
    terminate(world, instance, {
      code: 'Server.InternalError',
      message: 'Server.InternalError: Internal error',
    });
  }
}

function spotInstance(world: Ec2World, instanceId: string): SimulatedInstance {
  const [instance] = findInstances(world, [instanceId]);
  if (instance?.lifecycle !== 'spot') throw ec2Errors.notSpot(instanceId);
  return instance;
}

const utcSeconds = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, 'Z');
