import type { Ec2Instance } from '../groups/ec2.ts';
import type { GroupInstance } from '../groups/group.ts';
import { isPendingWait, isWarmedPendingWait } from '../groups/lifecycle-state.ts';

/**
 * What Auto Scaling and EC2 say of an instance that a notice calls launching:
 * - `over`: nothing waits for a pass, and why;
 * - `settling`: it is between two states, and the next pass will see more;
 * - `waiting`: Auto Scaling holds it on its launching hooks. `toWarmPool`: it does not join, it is launched into its warm pool.
 */
export type JoiningSituation =
  | { readonly kind: 'over'; readonly reason: string }
  | { readonly kind: 'settling'; readonly reason: string }
  | { readonly kind: 'waiting'; readonly instance: GroupInstance; readonly toWarmPool: boolean };

export interface JoiningSituationInput {
  readonly instance: GroupInstance | undefined;
  readonly ec2: Ec2Instance | undefined;
  /** Its action was noticed less than a minute ago: Auto Scaling's description may be older. */
  readonly isNew: boolean;
}

/** A pure reading of the lifecycle states (EC2 Auto Scaling user guide, "Amazon EC2 Auto Scaling instance lifecycle"). */
export function joiningSituation({ instance, ec2, isNew }: JoiningSituationInput): JoiningSituation {
  if (!instance) {
    if (isNew && ec2?.state !== 'terminated')
      return { kind: 'settling', reason: 'Auto Scaling does not list it yet' };
    return { kind: 'over', reason: `it is in no Auto Scaling group${ec2 ? ` and ${ec2.state}` : ''}` };
  }
  const { lifecycleState } = instance;
  if (isPendingWait(instance)) return { kind: 'waiting', instance, toWarmPool: false };
  if (isWarmedPendingWait(instance)) return { kind: 'waiting', instance, toWarmPool: true };
  if (/^(Warmed:)?Pending$/.test(lifecycleState) || lifecycleState === 'RootVolumeReplaced')
    return { kind: 'settling', reason: `Auto Scaling has not begun the wait yet (${lifecycleState})` };
  return { kind: 'over', reason: `it waits no longer (${lifecycleState})` };
}
