import { isoSeconds } from '../base/iso-seconds.ts';
import { isPastTerminatingWait, isRetained, waitsToLeave } from '../groups/lifecycle-state.ts';
import { type LeavingInstance, waitsFor } from './leaving-instances.ts';

/** The kinds of problems of leaving instances that an operator must solve: docs/operating.md describes how. */
export const leavingProblemKinds = ['overdue', 'quiet', 'retained', 'left-behind'] as const;

export interface LeavingProblem {
  readonly kind: (typeof leavingProblemKinds)[number];
  /** A Node or an instance, by name. */
  readonly subject: string;
  readonly message: string;
}

/** The threshold of the alarm `deadline-overdue`. */
const overdueSeconds = 300;
/** The threshold of the alarm `pass-age`. A working pass updates the mark at least every 15 minutes. */
const quietSeconds = 1800;
/** Three intervals of the sweep. */
const leftBehindSeconds = 900;

/** The problems of a leaving instance that an operator must solve. During a pause it may be late or quiet. Pure. */
export function leavingProblems(
  instance: LeavingInstance,
  { at, sawGroups }: { readonly at: number; readonly sawGroups: boolean },
): readonly LeavingProblem[] {
  const { node, member, pause } = instance;
  const subject = node?.name ?? instance.instanceId;
  if (member && isRetained(member)) return [retained(instance, subject)];
  if (!node || pause || (member && isPastTerminatingWait(member))) return [];
  const { renewedAt, until } = node.mark;
  const quietFor = (at - Date.parse(renewedAt)) / 1000;
  if (!member && sawGroups) return quietFor > leftBehindSeconds ? [leftBehind(instance, subject)] : [];
  const isLate = until !== undefined && at - Date.parse(until) > overdueSeconds * 1000;
  return [
    ...(isLate ? [overdue(instance, { subject, until })] : []),
    ...(member && waitsToLeave(member) && quietFor > quietSeconds ? [quiet(subject, renewedAt)] : []),
  ];
}

const retained = ({ instanceId }: LeavingInstance, subject: string): LeavingProblem => ({
  kind: 'retained',
  subject,
  message: `its drain failed and its group retains instance ${instanceId}: take care of its pods, then terminate the instance in its group`,
});

const leftBehind = ({ instanceId }: LeavingInstance, subject: string): LeavingProblem => ({
  kind: 'left-behind',
  subject,
  message: `it is marked as leaving, but its instance ${instanceId} is in no managed group`,
});

const overdue = (
  instance: LeavingInstance,
  { subject, until }: { readonly subject: string; readonly until: string },
): LeavingProblem => ({
  kind: 'overdue',
  subject,
  message: `it should have left by ${isoSeconds(Date.parse(until))}; it waits for ${waitsFor(instance)}`,
});

const quiet = (subject: string, renewedAt: string): LeavingProblem => ({
  kind: 'quiet',
  subject,
  message: `no pass has renewed its mark since ${isoSeconds(Date.parse(renewedAt))}: check the function node-leaving and its queue`,
});
