/** The field of an instance of a group that these questions are about. */
interface HasLifecycleState {
  readonly lifecycleState: string;
}

/** The instance serves in its group. */
export const isInService = ({ lifecycleState }: HasLifecycleState): boolean => lifecycleState === 'InService';

/** Auto Scaling holds the instance on its terminating hooks: also before it leaves a warm pool, and before it gets a new root volume. */
export const isTerminatingWait = ({ lifecycleState }: HasLifecycleState): boolean =>
  lifecycleState.endsWith('Terminating:Wait') || lifecycleState === 'ReplacingRootVolume:Wait';

/** Auto Scaling holds a new instance on its launching hooks. Not for an instance that is launched into a warm pool. */
export const isPendingWait = ({ lifecycleState }: HasLifecycleState): boolean =>
  lifecycleState === 'Pending:Wait';

/** The hooks of the termination are completed: EC2 terminates the instance, or has terminated it. */
export const isPastTerminatingWait = ({ lifecycleState }: HasLifecycleState): boolean =>
  /^(Warmed:)?(Terminating:Proceed|Terminated)$/.test(lifecycleState);

/** `Terminating`, with or without a wait, also out of a warm pool. */
export const isTerminating = ({ lifecycleState }: HasLifecycleState): boolean =>
  lifecycleState.includes('Terminating');

/**
 * An instance refresh is about to replace the root volume, before, in or after the wait on the terminating hooks. The instance comes
 * back under the same id (user guide, "Replace root volumes during instance refresh").
 */
export const isReplacingRootVolume = ({ lifecycleState }: HasLifecycleState): boolean =>
  lifecycleState.startsWith('ReplacingRootVolume');

/** The instance has its new root volume, and its launching hooks come next. */
export const isRootVolumeReplaced = ({ lifecycleState }: HasLifecycleState): boolean =>
  lifecycleState === 'RootVolumeReplaced';

export const isTerminated = ({ lifecycleState }: HasLifecycleState): boolean =>
  lifecycleState.endsWith('Terminated');

/** The group keeps the instance for a person, because its hook was abandoned (`Terminating:Retained`). */
export const isRetained = ({ lifecycleState }: HasLifecycleState): boolean =>
  lifecycleState.endsWith(':Retained');

/**
 * The instance waits on its way into the warm pool: it is launched into it, or it returns to it (EC2 Auto Scaling user guide,
 * "Use lifecycle hooks with a warm pool").
 */
export const isWarmedPendingWait = ({ lifecycleState }: HasLifecycleState): boolean =>
  lifecycleState === 'Warmed:Pending:Wait';

/** Whether an instance with a marked Node waits on its terminating hooks, also on its return to a warm pool. */
export const waitsToLeave = (member: HasLifecycleState): boolean =>
  isTerminatingWait(member) || isWarmedPendingWait(member);
