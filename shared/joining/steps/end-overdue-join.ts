import { leavesOneAtATime } from '../../groups/group.ts';
import { completeAction } from '../../passes/hook-action.ts';
import { done, type Outcome } from '../../passes/outcome.ts';
import type { JoiningContext } from '../context.ts';
import { diagnose } from '../diagnosis.ts';
import { decideGiveUp, type GiveUp } from '../give-up.ts';
import type { ClusterObserved, Joining, Judged, Overdue, OwnRequests, Planned } from '../state.ts';
import { isTimeToTell, tellFailure } from '../tell-failure.ts';
import type { TemplateApplied } from './apply-node-template.ts';

type State = Joining & Planned & ClusterObserved & TemplateApplied & Judged;

/**
 * Abandons or holds an instance that has not joined by its deadline, as its group wants, and says why it has not joined. One that EC2 has
 * terminated can never join, and is abandoned at once: Auto Scaling checks the health of no instance that waits.
 */
export async function endOverdueJoin(context: JoiningContext, state: State): Promise<Outcome | Overdue> {
  const { readiness, plan, group, toWarmPool } = state;
  if (state.ec2?.state === 'terminated') return await abandonTerminated(context, state);
  if (toWarmPool || context.clock.now() <= plan.deadlines.deadline) return {};
  const verdict = await giveUp(context, state);
  // Before the instance is abandoned: a pass that is killed in between says it again.
  if (isTimeToSay(context, state)) await sayWhy(context, state);
  if (verdict.kind === 'abandon' || isTimeToTell(context.clock.now(), plan))
    await tellFailure(context, {
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
  await tellFailure(context, { ...state, verdict, steps: [] });
  await completeAction(context.autoScaling, plan.action, 'ABANDON');
  return done('EC2 has terminated it, so its launch is abandoned', {
    autoScalingGroupName: group.autoScalingGroupName,
  });
}

/** What cannot be read, or decided by us, is no fault of the instance. */
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

const secondsBetweenSayings = 300;
const mostRemembered = 10_000;

function isTimeToSay({ clock, saidWhyAt }: JoiningContext, { instance: { instanceId } }: State): boolean {
  const now = clock.now();
  if (now - (saidWhyAt.get(instanceId) ?? -Infinity) < secondsBetweenSayings * 1000) return false;
  if (saidWhyAt.size >= mostRemembered) saidWhyAt.clear();
  saidWhyAt.set(instanceId, now);
  return true;
}

async function sayWhy(
  context: JoiningContext,
  { instance, group, ec2, node, readiness }: State,
): Promise<void> {
  const { instanceId } = instance;
  const console = await context.readConsole(instanceId).catch((error: unknown) => {
    context.reportError(`the console of ${instanceId} could not be read`, error);
    return undefined;
  });
  context.sayWhy({
    instanceId,
    autoScalingGroupName: group.autoScalingGroupName,
    steps: diagnose({ ec2, reason: readiness.reason, node, console }),
    console: console?.lastLines ?? [],
  });
}

/** Also where the verdict was right and the API server did not take it: the instance has done its own part. */
const couldNotDecide = (requests: OwnRequests): boolean =>
  requests.kind === 'failed' ||
  (requests.kind === 'decided' && requests.decided.some(({ outcome }) => outcome === 'failed'));
