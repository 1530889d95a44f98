import { isTerminatingWait } from '../../shared/lifecycle/lifecycle-state.ts';
import { isoSeconds } from '../leaving/hold.ts';
import type { Leaver } from '../leaving/leavers.ts';
import type { Problem } from './report.ts';
import { waitsFor } from './waits-for.ts';

/** As the alarm `deadline-overdue` has it. */
const overdueSeconds = 300;
/** As the alarm `pass-age` has it; a pass that works leaves a sign every quarter of an hour at least. */
const quietSeconds = 1800;
/** Three sweeps have come and gone. */
const leftBehindSeconds = 900;

/** What of a leaving instance needs a person; a pause explains why it is late or quiet. Pure. */
export function leavingProblems(
  leaver: Leaver,
  { at, sawGroups }: { readonly at: number; readonly sawGroups: boolean },
): readonly Problem[] {
  const { node, member, pause } = leaver;
  const subject = node?.name ?? leaver.instanceId;
  if (member?.lifecycleState.endsWith('Terminating:Retained')) return [retained(leaver, subject)];
  if (!node || pause || isOnItsWayOut(leaver)) return [];
  const { lastSignAt, until } = node.mark;
  const quietFor = (at - Date.parse(lastSignAt)) / 1000;
  if (!member && sawGroups) return quietFor > leftBehindSeconds ? [leftBehind(leaver, subject)] : [];
  const isLate = until !== undefined && at - Date.parse(until) > overdueSeconds * 1000;
  return [
    ...(isLate ? [overdue(leaver, { subject, until })] : []),
    ...(member && isTerminatingWait(member) && quietFor > quietSeconds ? [quiet(subject, lastSignAt)] : []),
  ];
}

const isOnItsWayOut = ({ member }: Leaver): boolean =>
  /Terminating:Proceed$|Terminated$/.test(member?.lifecycleState ?? '');

const retained = ({ instanceId }: Leaver, subject: string): Problem => ({
  kind: 'retained',
  subject,
  message: `its drain failed and its group retains instance ${instanceId}: take care of its pods, then terminate the instance in its group`,
});

const leftBehind = ({ instanceId }: Leaver, subject: string): Problem => ({
  kind: 'left-behind',
  subject,
  message: `it is marked as leaving, but its instance ${instanceId} is in no managed group`,
});

const overdue = (
  leaver: Leaver,
  { subject, until }: { readonly subject: string; readonly until: string },
): Problem => ({
  kind: 'overdue',
  subject,
  message: `it should have left by ${isoSeconds(Date.parse(until))}; it waits for ${waitsFor(leaver)}`,
});

const quiet = (subject: string, lastSignAt: string): Problem => ({
  kind: 'quiet',
  subject,
  message: `no pass has updated its mark since ${isoSeconds(Date.parse(lastSignAt))}: check the function node-leaving and its queue`,
});
