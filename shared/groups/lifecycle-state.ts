interface HasLifecycleState {
  readonly lifecycleState: string;
}

/** Whether the instance serves in its group. */
export const isInService = ({ lifecycleState }: HasLifecycleState): boolean => lifecycleState === 'InService';

/** Whether the instance is in a warm pool, or on its way into or out of it. */
export const isWarmed = ({ lifecycleState }: HasLifecycleState): boolean =>
  lifecycleState.startsWith('Warmed:');

/** Whether the instance waits on its terminating hooks, also before it leaves a warm pool or gets a new root volume. */
export const isTerminatingWait = ({ lifecycleState }: HasLifecycleState): boolean =>
  lifecycleState.endsWith('Terminating:Wait') || lifecycleState === 'ReplacingRootVolume:Wait';

/** Whether the instance waits on its launching hooks. False for an instance that is launched into a warm pool. */
export const isPendingWait = ({ lifecycleState }: HasLifecycleState): boolean =>
  lifecycleState === 'Pending:Wait';

/** Whether the terminating hooks are completed: EC2 terminates the instance, or has terminated it. */
export const isPastTerminatingWait = ({ lifecycleState }: HasLifecycleState): boolean =>
  /^(Warmed:)?(Terminating:Proceed|Terminated)$/.test(lifecycleState);

/** Whether the instance is being terminated, with or without a wait, also from a warm pool. */
export const isTerminating = ({ lifecycleState }: HasLifecycleState): boolean =>
  lifecycleState.includes('Terminating');

/**
 * Whether an instance refresh is replacing the root volume: before, during or after the wait on the terminating hooks. The instance
 * returns with the same id (user guide, "Replace root volumes during instance refresh").
 */
export const isReplacingRootVolume = ({ lifecycleState }: HasLifecycleState): boolean =>
  lifecycleState.startsWith('ReplacingRootVolume');

/** Whether the instance has its new root volume. Its launching hooks are next. */
export const isRootVolumeReplaced = ({ lifecycleState }: HasLifecycleState): boolean =>
  lifecycleState === 'RootVolumeReplaced';

export const isTerminated = ({ lifecycleState }: HasLifecycleState): boolean =>
  lifecycleState.endsWith('Terminated');

/** Whether the group keeps the instance for the operator after its hook was abandoned (`Terminating:Retained`). */
export const isRetained = ({ lifecycleState }: HasLifecycleState): boolean =>
  lifecycleState.endsWith(':Retained');

/**
 * Whether the instance waits on its way into the warm pool: it is launched into the pool or returns to it (EC2 Auto Scaling user
 * guide, "Use lifecycle hooks with a warm pool").
 */
export const isWarmedPendingWait = ({ lifecycleState }: HasLifecycleState): boolean =>
  lifecycleState === 'Warmed:Pending:Wait';

/** Whether an instance with a marked Node waits on its terminating hooks, also on its return to a warm pool. */
export const waitsToLeave = (member: HasLifecycleState): boolean =>
  isTerminatingWait(member) || isWarmedPendingWait(member);
