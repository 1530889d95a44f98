import { messageOf } from '../base/message-of.ts';
import { allSettledOrThrow } from '../base/side-by-side.ts';
import { type Ec2, type Ec2Warning, mayBeWarned } from '../groups/ec2.ts';
import { again, done, type Facts, type Outcome } from '../passes/outcome.ts';
import { pausedReason, pauseOf } from '../passes/pause.ts';
import { applyRecords, pendingChange, waitForAccess, waitForPropagation } from './apply-records.ts';
import type { EtcdContext, EtcdPassContext } from './context.ts';
import { decideEtcd } from './decide.ts';
import { type EtcdDecision, hasStalled, type StartState } from './decision.ts';
import { type EtcdGroup, findEtcdGroups, instancesOf, updateStatusTags } from './groups.ts';
import { completeHook, ensureHeartbeats, waitingInstances } from './hooks.ts';
import { makeStep } from './make-step.ts';
import type { EtcdNotice } from './message.ts';
import { type EtcdObservation, observeEtcd } from './observe.ts';
import { listOf } from './statuses.ts';
import { type Warned, withWarnings } from './warned-members.ts';

const seconds = { step: 1, dns: 5, boot: 10, trouble: 20, pause: 20 } as const;

/**
 * One pass over the zone of an etcd cluster: reads the groups, DNS and the members, decides, and makes the next change. A pass
 * depends on no earlier pass. It may be killed at any line and run again at any time.
 *
 * @throws the error of AWS if AWS does not answer; the pass concludes nothing from that.
 */
export async function etcdPass(
  context: EtcdPassContext,
  notices: readonly EtcdNotice[] = [],
): Promise<Outcome> {
  const groups = await findEtcdGroups(context);
  const listed = instancesOf(groups);
  const unsent = await ensureHeartbeats(context, waitingInstances(context, listed));
  const pause = groups.map(({ group }) => pauseOf(group.tags)).find((found) => found !== undefined);
  if (pause)
    return again(seconds.pause, pausedReason(pause, { now: context.clock.now(), limit: Infinity }), {
      waitsFor: 'pause',
      ...(unsent.length > 0 && { etcdProblems: unsent.length }),
    });
  const pending = await pendingChange(context);
  if (pending) return await waitForPropagation(context, groups, pending);
  const confirmed = await confirmedNotices(notices, groups, context.ec2);
  try {
    const observed = await observeEtcd(context, groups, listed);
    const warned = withWarnings({ notices: confirmed, observation: observed, settings: context.settings });
    const observation = { ...observed, instances: warned.instances };
    const decision = decideEtcd(observation, context.settings);
    const outcome = await carryOut(context, observation, decision);
    const problems = [...outcome.problems, ...unsent];
    await updateStatusTags(context, groups, problems);
    return withFacts(whileWarned(outcome.next, warned), observation, problems);
  } catch (error) {
    return await waitForAccess(context, groups, error);
  }
}

function whileWarned(outcome: Outcome, { waits, held }: Warned): Outcome {
  const next = outcome.status === 'again' || !waits ? outcome : again(seconds.boot, waits);
  return { ...next, reason: [next.reason, ...held].join('; ') };
}

interface Progress {
  readonly next: Outcome;
  readonly problems: readonly string[];
}

/**
 * Corrects what members read, then changes the records. Once every name server has them, makes one step; without a step, completes the
 * hooks of settled instances.
 */
async function carryOut(
  context: EtcdContext,
  observation: EtcdObservation,
  decision: EtcdDecision,
): Promise<Progress> {
  const { problems, formed, outdated = [], states } = decision;
  const stuck = (reason: string) =>
    hasStalled(observation, context.settings) ? [...problems, reason] : problems;
  await allSettledOrThrow(outdated.map((instanceId) => context.states.forget(instanceId)));
  await publishStates(
    context,
    formed.map((instanceId) => ({ instanceId, state: 'existing' })),
  );
  const records = await applyRecords(context, observation, decision);
  if (records.kind === 'conflict')
    return {
      next: again(seconds.trouble, records.problems[0] ?? '', { waitsFor: 'zone' }),
      problems: records.problems,
    };
  if (records.kind === 'changed')
    return { next: again(seconds.dns, records.reason, { waitsFor: 'dns' }), problems };
  if (records.kind === 'overtaken')
    return {
      next: again(seconds.dns, records.reason, { waitsFor: 'zone' }),
      problems: stuck(records.reason),
    };
  const step = decision.step && (await makeStep(context, observation, decision.step));
  if (step) {
    const afterSeconds = step.kind === 'made' ? seconds.step : seconds.boot;
    const withReason = {
      made: problems,
      waits: stuck(step.reason),
      refused: [...problems, step.reason],
    };
    return {
      next: again(afterSeconds, step.reason, { step: decision.step?.kind ?? '' }),
      problems: withReason[step.kind],
    };
  }
  const unpublished = await publishEach(context, states);
  const held = new Set(unpublished.map(({ instanceId }) => instanceId));
  const uncompleted = await completeHooks(context, observation, {
    settled: decision.settled.filter((instanceId) => !held.has(instanceId)),
  });
  throwFailures([...unpublished, ...uncompleted]);
  return { next: outcomeWithoutStep(context, observation, decision), problems };
}

const publishStates = ({ states }: EtcdContext, wanted: readonly StartState[]): Promise<void> =>
  allSettledOrThrow(wanted.map((one) => states.publish(one)));

interface FailedInstance {
  readonly instanceId: string;
  /** What was not done. */
  readonly what: string;
  readonly error: unknown;
}

/** Does something for each instance, all at the same time: a zone has few. One that fails stops no other. */
async function forEachInstance<One extends { readonly instanceId: string }>(
  instances: readonly One[],
  what: string,
  act: (one: One) => Promise<unknown>,
): Promise<readonly FailedInstance[]> {
  const results = await Promise.allSettled(instances.map(act));
  return instances.flatMap(({ instanceId }, index) => {
    const result = results[index];
    return result?.status === 'rejected' ? [{ instanceId, what, error: result.reason as unknown }] : [];
  });
}

const publishEach = ({ states }: EtcdContext, wanted: readonly StartState[]) =>
  forEachInstance(wanted, 'its start state was not published', (one) => states.publish(one));

const completeHooks = (
  context: EtcdContext,
  { instances }: EtcdObservation,
  { settled }: Pick<EtcdDecision, 'settled'>,
) =>
  forEachInstance(
    waitingInstances(context, instances).filter(({ instanceId }) => settled.includes(instanceId)),
    'its hook was not completed',
    async (one) => {
      if (one.phase === 'leaving') await context.states.forget(one.instanceId);
      await completeHook(context, one);
    },
  );

/** @throws if there are failures. The pass is tried again. */
function throwFailures(failures: readonly FailedInstance[]): void {
  if (failures.length === 0) return;
  throw new AggregateError(
    failures.map(({ error }) => error),
    failures.map(({ instanceId, what, error }) => `${instanceId}: ${what}: ${messageOf(error)}`).join('; '),
  );
}

/** Done if no instance waits or joins: the sweep wakes the zone again. */
function outcomeWithoutStep(
  context: EtcdContext,
  observation: EtcdObservation,
  decision: EtcdDecision,
): Outcome {
  const { instances } = observation;
  const waiting = new Set(waitingInstances(context, instances).map(({ instanceId }) => instanceId));
  const [kept] = decision.held.filter(({ instanceId }) => waiting.has(instanceId));
  if (kept) {
    const afterSeconds = decision.problems.length > 0 ? seconds.trouble : seconds.boot;
    return again(afterSeconds, `${kept.instanceId}: ${kept.why}`, { waiting: waiting.size });
  }
  const joining = instances.find(
    ({ instanceId, phase }) => phase === 'arriving' && !decision.settled.includes(instanceId),
  );
  if (joining) return again(seconds.boot, `${joining.instanceId} is joining`);
  // A member of an instance in service, after a restore: the next one is added once it votes.
  const [starting] = hasStalled(observation, context.settings) ? [] : decision.states;
  if (starting) return again(seconds.boot, `${starting.instanceId}: its etcd does not serve yet`);
  return done(decision.problems[0] ?? 'records and members are as the groups want them');
}

function withFacts(
  outcome: Outcome,
  { cluster, instances }: EtcdObservation,
  problems: readonly string[],
): Outcome {
  const list = listOf(cluster);
  const facts: Facts = {
    ...outcome.facts,
    instances: instances.length,
    etcdProblems: problems.length,
    ...(list && {
      members: list.members.length,
      learners: list.members.filter(({ isLearner }) => isLearner).length,
    }),
    ...(problems[0] && { problem: problems[0] }),
  };
  return { ...outcome, facts };
}

/** The notices without the warnings that EC2 does not send about such instances, and those about instances of other groups. */
async function confirmedNotices(
  notices: readonly EtcdNotice[],
  groups: readonly EtcdGroup[],
  ec2: Ec2,
): Promise<readonly EtcdNotice[]> {
  const names = new Set<string | undefined>(groups.map(({ group }) => group.autoScalingGroupName));
  const isConfirmed = async (notice: EtcdNotice): Promise<boolean> => {
    if (notice.cause !== 'taken' || !notice.instanceId) return true;
    const instance = await ec2.describeInstance(notice.instanceId);
    if (!instance || !names.has(instance.tags['aws:autoscaling:groupName'])) return false;
    return warningsOf(notice).some((warning) => mayBeWarned(warning, instance));
  };
  const confirmed = await Promise.all(notices.map(isConfirmed));
  return notices.filter((_, index) => confirmed[index]);
}

/** A message of an older version does not name its warning: it counts if EC2 could have sent either. */
function warningsOf({ warning, spotOnly }: EtcdNotice): readonly Ec2Warning[] {
  if (warning) return [warning];
  return spotOnly ? ['spot-interruption'] : ['spot-interruption', 'capacity-reservation'];
}
