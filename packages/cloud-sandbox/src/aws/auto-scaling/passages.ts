import type { LifecycleState } from '@aws-sdk/client-auto-scaling';
import type { LifecycleTransition } from './model.ts';

type Place = 'EC2' | 'AutoScalingGroup' | 'WarmPool';

/** One way through the lifecycle: the states that an instance goes through, and what its hooks receive. */
export interface Passage {
  readonly transition: LifecycleTransition;
  readonly origin: Place;
  readonly destination: Place;
  readonly start: LifecycleState;
  readonly wait: LifecycleState;
  readonly proceed: LifecycleState;
  /** What the notifications of its hooks say besides; absent in those of a launch and of a termination. */
  readonly action?: 'ReplaceRootVolume';
  /** Where an abandoned instance stays if the group's lifecycle policy retains it. */
  readonly retained?: LifecycleState;
}

const launching = 'autoscaling:EC2_INSTANCE_LAUNCHING';
const terminating = 'autoscaling:EC2_INSTANCE_TERMINATING';

const pending = { start: 'Pending', wait: 'Pending:Wait', proceed: 'Pending:Proceed' } as const;
const warmedPending = {
  start: 'Warmed:Pending',
  wait: 'Warmed:Pending:Wait',
  proceed: 'Warmed:Pending:Proceed',
} as const;

/**
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/lifecycle-hooks-overview.html and, for the pool,
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/warm-pool-instance-lifecycle.html: an instance that scales in
 * to the pool is on a terminating transition whose destination is the pool. For root volumes,
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/replace-root-volume.html: the terminating hooks before, the launching ones after.
 */
export const passages = {
  launch: { transition: launching, origin: 'EC2', destination: 'AutoScalingGroup', ...pending },
  leavePool: { transition: launching, origin: 'WarmPool', destination: 'AutoScalingGroup', ...pending },
  launchIntoPool: { transition: launching, origin: 'EC2', destination: 'WarmPool', ...warmedPending },
  returnToPool: {
    transition: terminating,
    origin: 'AutoScalingGroup',
    destination: 'WarmPool',
    ...warmedPending,
    retained: 'Warmed:Pending:Retained',
  },
  terminate: {
    transition: terminating,
    origin: 'AutoScalingGroup',
    destination: 'EC2',
    start: 'Terminating',
    wait: 'Terminating:Wait',
    proceed: 'Terminating:Proceed',
    retained: 'Terminating:Retained',
  },
  terminateInPool: {
    transition: terminating,
    origin: 'WarmPool',
    destination: 'EC2',
    start: 'Warmed:Terminating',
    wait: 'Warmed:Terminating:Wait',
    proceed: 'Warmed:Terminating:Proceed',
    retained: 'Warmed:Terminating:Retained',
  },
  replaceRootVolume: {
    transition: terminating,
    origin: 'AutoScalingGroup',
    destination: 'AutoScalingGroup',
    action: 'ReplaceRootVolume',
    start: 'ReplacingRootVolume',
    wait: 'ReplacingRootVolume:Wait',
    proceed: 'ReplacingRootVolume:Proceed',
  },
  returnWithRootVolume: {
    transition: launching,
    origin: 'AutoScalingGroup',
    destination: 'AutoScalingGroup',
    action: 'ReplaceRootVolume',
    ...pending,
  },
} as const satisfies Record<string, Passage>;

const counting: ReadonlySet<LifecycleState> = new Set<LifecycleState>([
  'Pending',
  'Pending:Wait',
  'Pending:Proceed',
  'InService',
  'ReplacingRootVolume',
  'ReplacingRootVolume:Wait',
  'ReplacingRootVolume:Proceed',
  'RootVolumeReplaced',
]);

/** Does an instance in this state count towards the desired capacity? Standby, retained, leaving and warm ones do not. */
export const countsTowardsDesired = (state: LifecycleState): boolean => counting.has(state);

export const isTerminating = (state: LifecycleState): boolean =>
  (state.startsWith('Terminating') || state.startsWith('Warmed:Terminating')) && !state.endsWith(':Retained');

export const isWarm = (state: LifecycleState): boolean => state.startsWith('Warmed:');
