import type { Ec2Instance } from '../groups/ec2.ts';
import type { GroupInstance } from '../groups/group.ts';
import { isPendingWait, isWarmedPendingWait } from '../groups/lifecycle-state.ts';

/**
 * What Auto Scaling and EC2 report about an instance that a notice calls launching:
 * - `over`: the instance does not wait, so there is nothing to do;
 * - `settling`: it is between two states, and a later pass will know more;
 * - `waiting`: it waits on its launching hooks. With `toWarmPool` it does not join, because it is launched into its warm pool.
 */
type JoiningSituation =
  | { readonly kind: 'over'; readonly reason: string }
  | { readonly kind: 'settling'; readonly reason: string }
  | { readonly kind: 'waiting'; readonly instance: GroupInstance; readonly toWarmPool: boolean };

interface JoiningSituationInput {
  readonly instance: GroupInstance | undefined;
  readonly ec2: Ec2Instance | undefined;
  /** Whether its wait was noticed less than a minute ago: what Auto Scaling answers may be older. */
  readonly isNew: boolean;
}

/** Reads the lifecycle state (EC2 Auto Scaling user guide, "Amazon EC2 Auto Scaling instance lifecycle"). */
export function joiningSituation({ instance, ec2, isNew }: JoiningSituationInput): JoiningSituation {
  if (!instance) {
    if (isNew && ec2?.state !== 'terminated')
      return { kind: 'settling', reason: 'Auto Scaling does not list it yet' };
    return {
      kind: 'over',
      reason: `it is not in an Auto Scaling group${ec2 ? `; EC2 reports it as ${ec2.state}` : ''}`,
    };
  }
  const { lifecycleState } = instance;
  if (isPendingWait(instance)) return { kind: 'waiting', instance, toWarmPool: false };
  if (isWarmedPendingWait(instance)) return { kind: 'waiting', instance, toWarmPool: true };
  if (/^(Warmed:)?Pending$/.test(lifecycleState) || lifecycleState === 'RootVolumeReplaced')
    return { kind: 'settling', reason: `Auto Scaling has not begun the wait yet (${lifecycleState})` };
  return { kind: 'over', reason: `it waits no longer (${lifecycleState})` };
}
