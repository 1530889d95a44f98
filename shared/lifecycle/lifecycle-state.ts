/** The field of an instance of a group that these questions are about. */
interface HasLifecycleState {
  readonly lifecycleState: string;
}

/** Auto Scaling holds the instance on its terminating hooks: `Terminating:Wait`, or `Warmed:Terminating:Wait`. */
export const isTerminatingWait = ({ lifecycleState }: HasLifecycleState): boolean =>
  lifecycleState.endsWith('Terminating:Wait');

/**
 * The instance waits on its way into the warm pool: it is launched into it, or it returns to it (EC2 Auto Scaling user guide,
 * "Use lifecycle hooks with a warm pool").
 */
export const isWarmedPendingWait = ({ lifecycleState }: HasLifecycleState): boolean =>
  lifecycleState === 'Warmed:Pending:Wait';
