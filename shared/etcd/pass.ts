import { again, done, type Facts, type Outcome } from '../lifecycle/outcome.ts';
import { pausedReason, pauseOf } from '../lifecycle/pause.ts';
import { bringRecords } from './bring-records.ts';
import { decideEtcd } from './decide.ts';
import type { EtcdDecision } from './decision.ts';
import { findEtcdGroups, instancesOf } from './groups.ts';
import { look } from './look.ts';
import type { EtcdSight } from './sight.ts';
import { makeStep } from './step.ts';
import { tellGroups } from './tell-groups.ts';
import { completeWait, keepWaits, waitingOf } from './waits.ts';
import type { EtcdWorld } from './world.ts';

const seconds = { step: 1, dns: 5, boot: 10, trouble: 20, pause: 20 } as const;

/**
 * One pass over the zone of an etcd cluster: reads the groups, DNS and the members, decides, and does the one thing that comes
 * next. Nothing that it does rests on an earlier pass; it may be killed at any line and run again at any time.
 *
 * @throws what AWS answered when it cannot be asked; nothing is concluded from that.
 */
export async function etcdPass(world: EtcdWorld): Promise<Outcome> {
  const groups = await findEtcdGroups(world);
  const instances = instancesOf(groups);
  await keepWaits(world, waitingOf(world, instances));
  const pause = groups.map(({ group }) => pauseOf(group.tags)).find((found) => found !== undefined);
  if (pause)
    return again(seconds.pause, pausedReason(pause, { now: world.clock.now(), limit: Infinity }), {
      waitsFor: 'pause',
    });
  if (await changeIsUnderWay(world))
    return again(seconds.dns, 'Route 53 brings a change to its name servers', { waitsFor: 'dns' });
  const sight = await look(world, groups);
  const decision = decideEtcd(sight, world.terms);
  const outcome = await carryOut(world, sight, decision);
  await tellGroups(world, groups, outcome.problems);
  return withFacts(outcome.next, sight, outcome.problems);
}

/** A change of this Lambda's own, asked for by its id. */
async function changeIsUnderWay({ memory, zone }: EtcdWorld): Promise<boolean> {
  const pending = memory.pendingChange();
  if (!pending) return false;
  if (!(await zone.isInSync(pending.changeId))) return true;
  memory.inSync();
  return false;
}

interface Progress {
  readonly next: Outcome;
  readonly problems: readonly string[];
}

/** Records first; then, once every name server has them, one step; then whoever may go on goes on. */
async function carryOut(world: EtcdWorld, sight: EtcdSight, decision: EtcdDecision): Promise<Progress> {
  const { problems } = decision;
  const records = await bringRecords(world, sight, decision);
  if (records.kind === 'conflict')
    return {
      next: again(seconds.trouble, records.problems[0] ?? '', { waitsFor: 'zone' }),
      problems: records.problems,
    };
  if (records.kind === 'changed')
    return { next: again(seconds.dns, records.reason, { waitsFor: 'dns' }), problems };
  const step = decision.step && (await makeStep(world, sight, decision.step));
  if (step) {
    const afterSeconds = step.kind === 'made' ? seconds.step : seconds.boot;
    return {
      next: again(afterSeconds, step.reason, { step: decision.step?.kind ?? '' }),
      problems: step.kind === 'refused' ? [...problems, step.reason] : problems,
    };
  }
  await publishStates(world, sight, decision);
  await letGo(world, sight, decision);
  return { next: rest(world, sight, decision), problems };
}

/** Whoever is in service already knows, but who still waits hears the last word: a member of the first set is `existing` now. */
async function publishStates(
  world: EtcdWorld,
  { instances }: EtcdSight,
  { states, settled }: EtcdDecision,
): Promise<void> {
  const waiting = new Set(waitingOf(world, instances).map(({ instanceId }) => instanceId));
  for (const one of states) {
    const what = `state ${one.instanceId} ${one.state}`;
    const isInService = settled.includes(one.instanceId) && !waiting.has(one.instanceId);
    if (world.memory.wasDone(what) || isInService) continue;
    await world.states.publish(one);
    world.memory.done(what);
  }
}

async function letGo(world: EtcdWorld, { instances }: EtcdSight, { settled }: EtcdDecision): Promise<void> {
  for (const one of waitingOf(world, instances)) {
    if (!settled.includes(one.instanceId)) continue;
    if (one.phase === 'leaving') await world.states.forget(one.instanceId);
    await completeWait(world, one);
  }
}

/** Done once nobody waits and nothing is on its way: the sweep wakes the zone again. */
function rest(world: EtcdWorld, { instances }: EtcdSight, decision: EtcdDecision): Outcome {
  const waiting = new Set(waitingOf(world, instances).map(({ instanceId }) => instanceId));
  const [kept] = decision.held.filter(({ instanceId }) => waiting.has(instanceId));
  if (kept) {
    const afterSeconds = decision.problems.length > 0 ? seconds.trouble : seconds.boot;
    return again(afterSeconds, `${kept.instanceId}: ${kept.why}`, { waiting: waiting.size });
  }
  const joining = instances.find(
    ({ instanceId, phase }) => phase === 'arriving' && !decision.settled.includes(instanceId),
  );
  if (joining) return again(seconds.boot, `${joining.instanceId} joins`);
  return done(decision.problems[0] ?? 'records and members are as the groups want them');
}

function withFacts(
  outcome: Outcome,
  { cluster, instances }: EtcdSight,
  problems: readonly string[],
): Outcome {
  const list = cluster.kind === 'asked' ? cluster.list : undefined;
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
