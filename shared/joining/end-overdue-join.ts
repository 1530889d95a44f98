import { leavesOneAtATime } from '../groups/group.ts';
import type { NotificationResult } from '../notifications/notification.ts';
import { completeAction } from '../passes/hook-action.ts';
import { done, type Outcome } from '../passes/outcome.ts';
import type { TemplateApplied } from './apply-node-template.ts';
import type {
  ClusterObserved,
  Joining,
  JoiningContext,
  Judged,
  Overdue,
  OwnRequests,
  Planned,
} from './context.ts';
import { diagnose } from './diagnosis.ts';
import { decideGiveUp, type GiveUp } from './give-up.ts';

type State = Joining & Planned & ClusterObserved & TemplateApplied & Judged;

/**
 * Abandons or holds an instance that has not joined by its deadline, as its group is configured, and reports why it has not joined. An
 * instance that EC2 has terminated can never join and is abandoned at once, because Auto Scaling does not check the health of instances
 * that wait.
 */
export async function endOverdueJoin(context: JoiningContext, state: State): Promise<Outcome | Overdue> {
  const { readiness, plan, group, toWarmPool } = state;
  if (state.ec2?.state === 'terminated') return await abandonTerminated(context, state);
  if (toWarmPool || context.clock.now() <= plan.deadlines.deadline) return {};
  const verdict = await giveUp(context, state);
  // Before the instance is abandoned: if the pass is killed in between, the next one reports it again.
  if (isTimeToReport(context, state)) await reportWhy(context, state);
  if (verdict.kind === 'abandon' || isTimeToNotify(context.clock.now(), plan))
    await notifyFailure(context, {
      ...state,
      verdict: `${readiness.reason}; ${verdict.kind === 'hold' ? verdict.reason : 'its launch is abandoned'}`,
      steps: diagnose({ ec2: state.ec2, reason: readiness.reason, node: state.node, console: undefined }),
    });
  if (verdict.kind === 'hold') return { held: verdict };
  const answer = await completeAction(context.autoScaling, plan.action, 'ABANDON');
  if (answer === 'not-active') return done(`${readiness.reason}: its hook waits no longer`);
  return done(`${readiness.reason}; it has not joined in time, and its launch is abandoned`, {
    autoScalingGroupName: group.autoScalingGroupName,
    joinsAbandoned: 1,
  });
}

async function abandonTerminated(context: JoiningContext, state: State): Promise<Outcome> {
  const { plan, group } = state;
  const verdict = 'EC2 has terminated it';
  await notifyFailure(context, { ...state, verdict, steps: [] });
  await completeAction(context.autoScaling, plan.action, 'ABANDON');
  return done('EC2 has terminated it, so its launch is abandoned', {
    autoScalingGroupName: group.autoScalingGroupName,
  });
}

/** An instance is not abandoned because Drover could not read or decide something. */
async function giveUp(
  context: JoiningContext,
  { group, settings, requests, templateFailure }: State,
): Promise<GiveUp> {
  const { autoScalingGroupName } = group;
  const input = { onFailure: settings.onJoinFailure, leavesOneAtATime: leavesOneAtATime(group) };
  const hasFailed = couldNotDecide(requests) || templateFailure !== undefined;
  if (hasFailed && settings.onJoinFailure === 'ABANDON')
    return { kind: 'hold', reason: 'it is held until Drover can do its own part', isBackedOff: false };
  const first = decideGiveUp({ ...input, abandonedInARow: 0 });
  if (first.kind === 'hold') return first;
  try {
    return decideGiveUp({
      ...input,
      abandonedInARow: await context.countAbandonedLaunches(autoScalingGroupName),
    });
  } catch (error) {
    context.reportError(`the activities of group ${autoScalingGroupName} could not be read`, error);
    return decideGiveUp({ ...input, abandonedInARow: undefined });
  }
}

const secondsBetweenReports = 300;
const mostRemembered = 10_000;

function isTimeToReport(
  { clock, reportedWhyAt }: JoiningContext,
  { instance: { instanceId } }: State,
): boolean {
  const now = clock.now();
  if (now - (reportedWhyAt.get(instanceId) ?? -Infinity) < secondsBetweenReports * 1000) return false;
  if (reportedWhyAt.size >= mostRemembered) reportedWhyAt.clear();
  reportedWhyAt.set(instanceId, now);
  return true;
}

async function reportWhy(
  context: JoiningContext,
  { instance, group, ec2, node, readiness }: State,
): Promise<void> {
  const { instanceId } = instance;
  const console = await context.readConsole(instanceId).catch((error: unknown) => {
    context.reportError(`the console of ${instanceId} could not be read`, error);
    return undefined;
  });
  context.reportWhy({
    instanceId,
    autoScalingGroupName: group.autoScalingGroupName,
    steps: diagnose({ ec2, reason: readiness.reason, node, console }),
    console: console?.lastLines ?? [],
  });
}

/** Also if the API server did not accept a decision: the instance has done its part. */
const couldNotDecide = (requests: OwnRequests): boolean =>
  requests.kind === 'failed' ||
  (requests.kind === 'decided' && requests.decided.some(({ outcome }) => outcome === 'failed'));

/**
 * Notifications about held instances are sent only within this time after the deadline: no record of them is kept, so a new environment
 * of the function would send them again hours later. If an instance had no pass in this time, `JoinOverdueAlarm` reports it.
 */
const notifyWithinSeconds = 600;

const isTimeToNotify = (now: number, { deadlines: { deadline } }: Planned['plan']): boolean =>
  now - deadline < notifyWithinSeconds * 1000;

interface JoinFailure extends Joining, Planned {
  /** What is done about it. */
  readonly verdict: string;
  readonly steps: readonly string[];
}

/** Notifies people that an instance has not joined in time. */
const notifyFailure = async (
  { notify }: Pick<JoiningContext, 'notify'>,
  { instance, group, plan, verdict, steps }: JoinFailure,
): Promise<NotificationResult> =>
  await notify({
    kind: 'join-failed',
    occurrence: `${instance.instanceId}/${new Date(plan.since).toISOString()}`,
    message: `instance ${instance.instanceId} of group ${group.autoScalingGroupName} has not joined: ${verdict}`,
    facts: {
      autoScalingGroupName: group.autoScalingGroupName,
      instanceId: instance.instanceId,
      deadline: new Date(plan.deadlines.deadline).toISOString(),
      reasons: steps,
    },
  });
