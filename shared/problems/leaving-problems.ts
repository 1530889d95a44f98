import { isoSeconds } from '../base/iso-seconds.ts';
import { shellWord } from '../base/shell-words.ts';
import { type LeavingInstance, waitsFor } from '../capacity/leaving-instances.ts';
import { type AutoScalingGroup, restoreTagsCommand } from '../groups/group.ts';
import { isPastTerminatingWait, isRetained, waitsToLeave } from '../groups/lifecycle-state.ts';
import type { FoundProblem } from './problem.ts';

/** The threshold of the alarm `deadline-overdue`. */
const overdueSeconds = 300;
/** The threshold of the alarm `pass-age`. A working pass updates the mark at least every 15 minutes. */
const quietSeconds = 1800;
/** Three intervals of the sweep. */
const leftBehindSeconds = 900;

/** Three passes of the sweep. */
const uncordonedSeconds = 900;
/** A budget that allows one disruption at a time holds each pod for minutes. */
const heldSeconds = 900;
/** Longer than an instance takes to join. */
const unreplacedSeconds = 1200;

interface Looked {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Undefined if Auto Scaling could not be read. */
  readonly groups: { readonly clusterName: string; readonly others: readonly AutoScalingGroup[] } | undefined;
}

/** The problems of a leaving instance that an operator must solve. During a pause it may be late or quiet. Pure. */
export function leavingProblems(instance: LeavingInstance, { at, groups }: Looked): readonly FoundProblem[] {
  const { node, member, pause } = instance;
  const subject = node?.name ?? instance.instanceId;
  if (member && isRetained(member)) return [retained(instance, subject)];
  if (!node || pause || (member && isPastTerminatingWait(member))) return [];
  const { renewedAt, until } = node.mark;
  const quietFor = (at - Date.parse(renewedAt)) / 1000;
  const lost = groups && !member ? tagsLost(instance, { subject, ...groups }) : undefined;
  if (lost) return [lost];
  if (!member && groups) return quietFor > leftBehindSeconds ? [leftBehind(instance, subject)] : [];
  const isLate = until !== undefined && at - Date.parse(until) > overdueSeconds * 1000;
  return [
    ...(isLate ? [overdue(instance, { subject, until })] : []),
    ...(member && waitsToLeave(member) && quietFor > quietSeconds ? [quiet(subject, renewedAt)] : []),
    ...uncordoned(instance, { subject, at }),
    ...(isLate ? [] : heldByBudgets(instance, { subject, at })),
    ...unreplaced(instance, { subject, at }),
  ];
}

const retained = ({ instanceId }: LeavingInstance, subject: string): FoundProblem => ({
  kind: 'retained',
  subject,
  message: `its drain failed and its group retains instance ${instanceId}: take care of its pods, then terminate the instance in its group`,
  command: `aws autoscaling terminate-instance-in-auto-scaling-group --instance-id ${instanceId} --no-should-decrement-desired-capacity`,
});

/** The instance is in a group that is not managed, although its Node was marked: a group is left alone only from the start. */
function tagsLost(
  { instanceId, node }: LeavingInstance,
  { subject, clusterName, others }: { readonly subject: string } & NonNullable<Looked['groups']>,
): FoundProblem | undefined {
  const group = others.find(({ instances }) => instances.some((one) => one.instanceId === instanceId));
  if (!group || !node) return undefined;
  const { waitEndsAt, since } = node.mark;
  const end = waitEndsAt
    ? `, and its wait ends at ${isoSeconds(Date.parse(waitEndsAt))}, drained or not`
    : '';
  return {
    kind: 'tags-lost',
    subject,
    message: `its group ${group.autoScalingGroupName} has lost a tag of the cluster during the drain${end}: restore it`,
    since,
    command: restoreTagsCommand(group, clusterName),
  };
}

const leftBehind = ({ instanceId, node }: LeavingInstance, subject: string): FoundProblem => ({
  kind: 'left-behind',
  subject,
  message: `it is marked as leaving, but its instance ${instanceId} is in no managed group`,
  since: node?.mark.renewedAt,
  command: `aws ec2 describe-instances --instance-ids ${instanceId}`,
});

const overdue = (
  instance: LeavingInstance,
  { subject, until }: { readonly subject: string; readonly until: string },
): FoundProblem => ({
  kind: 'overdue',
  subject,
  message: `it should have left by ${isoSeconds(Date.parse(until))}; it waits for ${waitsFor(instance)}`,
  since: until,
  command: `kubectl describe node ${shellWord(subject)}`,
});

const quiet = (subject: string, renewedAt: string): FoundProblem => ({
  kind: 'quiet',
  subject,
  message: `no pass has renewed its mark since ${isoSeconds(Date.parse(renewedAt))}: check the function node-leaving and its queue`,
  since: renewedAt,
  command: 'drover doctor',
});

/** A pass has cordoned it again, but a program that uncordons nodes mostly repeats that. */
function uncordoned(
  { node }: LeavingInstance,
  { subject, at }: { readonly subject: string; readonly at: number },
): readonly FoundProblem[] {
  const since = node?.mark.uncordonedAt;
  if (since === undefined || at - Date.parse(since) > uncordonedSeconds * 1000) return [];
  return [
    {
      kind: 'uncordoned',
      subject,
      message: `something else uncordoned it during its drain, and Drover cordoned it again at ${isoSeconds(Date.parse(since))}`,
      since,
      command: `kubectl get node ${shellWord(subject)} --show-managed-fields -o yaml`,
    },
  ];
}

/** The budgets that hold pods of a drain that has lasted for a quarter of an hour. The mark has the first held pods. */
function heldByBudgets(
  { node }: LeavingInstance,
  { subject, at }: { readonly subject: string; readonly at: number },
): readonly FoundProblem[] {
  if (!node || at - Date.parse(node.mark.since) <= heldSeconds * 1000) return [];
  const held = node.mark.waitingFor.filter((line) => line.includes(' (budget '));
  const [first] = held;
  if (first === undefined) return [];
  const { since, until } = node.mark;
  const end = until === undefined ? '' : `, until ${isoSeconds(Date.parse(until))} at the latest`;
  return [
    {
      kind: 'budget',
      subject,
      message: `PodDisruptionBudgets hold ${held.join(', ')}${end}: scale the workload, or relax its budget`,
      since,
      command: `kubectl get poddisruptionbudgets --namespace ${shellWord(first.split('/')[0] ?? '')}`,
    },
  ];
}

/** Mostly a launch that fails: EC2 has no capacity, or the new instance does not join. */
function unreplaced(
  { node, group }: LeavingInstance,
  { subject, at }: { readonly subject: string; readonly at: number },
): readonly FoundProblem[] {
  if (node?.mark.awaiting !== 'replacement' || at - Date.parse(node.mark.since) <= unreplacedSeconds * 1000)
    return [];
  const { since, waitingFor } = node.mark;
  return [
    {
      kind: 'unreplaced',
      subject,
      message: `it is not drained, because it waits for ${waitingFor.join(', ')}: find out why none is launched or joins, or lower the desired capacity. It is drained shortly before its hook ends the wait`,
      since,
      command: `aws autoscaling describe-scaling-activities --auto-scaling-group-name ${shellWord(group?.autoScalingGroupName ?? 'GROUP')} --max-items 5`,
    },
  ];
}
