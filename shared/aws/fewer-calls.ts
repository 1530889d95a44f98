import type { Clock } from '../base/clock.ts';
import type { AutoScaling } from '../lifecycle/auto-scaling.ts';
import { isTerminatingWait } from '../lifecycle/lifecycle-state.ts';
import { cached } from './cached.ts';

/** A wait that ends meanwhile is noticed by the call that is meant for it: Auto Scaling answers that nothing waits. */
const waitingSeconds = 20;

/** Keeps answers about instances that wait for a short time, so that consecutive passes over one wait share them. */
export const withFewerCalls = (autoScaling: AutoScaling, clock: Clock): AutoScaling => ({
  ...autoScaling,
  describeInstance: cached({
    clock,
    seconds: waitingSeconds,
    read: (instanceId: string) => autoScaling.describeInstance(instanceId),
    keeps: (instance) => instance !== undefined && isTerminatingWait(instance),
  }),
});
