import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import { again, type Outcome } from '../../lifecycle/outcome.ts';
import { type Pause, pausedReason, pauseOf } from '../../lifecycle/pause.ts';
import { type LeavingMark, readLeavingMark } from '../leaving-mark.ts';
import { type DrainRound, drainRound } from './drain-round.ts';
import { fail, hasFailed } from './failure.ts';
import { findNode } from './find-node.ts';
import { type Beat, besideBeats, keepWaiting } from './keep-waiting.ts';
import { whyMachineIsGone } from './machine.ts';
import { markAsLeaving, updateMark } from './marking.ts';
import { release } from './release.ts';
import type { Sight } from './sight.ts';
import { takeTurn } from './take-turn.ts';
import { type LeaveTerms, termsOf } from './terms.ts';
import { waitForDetachment } from './wait-for-detachment.ts';
import type { LeavingSubject, LeavingWorld } from './world.ts';

/** A spot warning of two minutes may come at any time, and it waits behind this message. */
const longestWaitSeconds = 20;
const firstLookSeconds = 5;

export type LeavingSight = Sight & { readonly waits: boolean; readonly toWarmPool: boolean };

/**
 * The steps of an instance that leaves; the first one that has to wait, or ends it, answers. Every step reads what it needs
 * anew, so that it does not matter which pass, or which Lambda, took the steps before.
 */
export async function leave(
  world: LeavingWorld,
  subject: LeavingSubject,
  seen: LeavingSight,
): Promise<Outcome> {
  const firstTerms = await agreeOnTerms(world, subject, { seen });
  const search = await attempt(() => nodeInItsTurn(world, subject, firstTerms));
  const found = search.ok ? search.value : undefined;
  const mark = readLeavingMark(found?.node?.metadata?.annotations);
  const terms = mark ? await agreeOnTerms(world, subject, { seen, mark }) : firstTerms;
  const beat = await keepWaiting(world, terms, mark);
  if (!search.ok) throw search.error;

  const paused = pauseOf(terms.group.tags);
  if (paused)
    return await hold(world, terms, { paused, beat, ...(found?.node && { node: found.node }), mark });
  if (found?.notYet) return besideBeats(world, terms, found.notYet);
  if (!found?.node) return await release(world, terms, undefined);
  const { node } = found;
  const gone = await whyMachineIsGone(world, {
    instanceId: subject.instanceId,
    node,
    ...(seen.ec2 && { seen: seen.ec2 }),
  });
  if (gone !== undefined) return await releaseAtOnce(world, terms, { node, gone });
  return await drain(world, terms, { node, mark, beat });
}

/**
 * A pause does nothing but keep the wait up. A heartbeat leaves its sign on the Node all the same: without it the next pass
 * would send another, and the sweep would take the wait for lost.
 */
async function hold(
  world: LeavingWorld,
  terms: LeaveTerms,
  {
    paused,
    node,
    mark,
    beat,
  }: Pick<Found, 'mark' | 'beat'> & { readonly paused: Pause; readonly node?: Node },
): Promise<Outcome> {
  if (node && mark && beat === 'beat')
    await updateMark(world, terms, { node, mark, held: mark.waitingFor, beat });
  const reason = pausedReason(paused, { now: world.clock.now(), limit: terms.deadlines.limit });
  const outcome = again(longestWaitSeconds, reason, { waitsFor: 'pause' });
  return mark ? outcome : besideBeats(world, terms, outcome);
}

/** Who has to wait for a turn is told so before anything is asked about its Node. */
async function nodeInItsTurn(
  world: LeavingWorld,
  subject: LeavingSubject,
  terms: LeaveTerms,
): Promise<{ readonly notYet?: Outcome; readonly node?: Node }> {
  const notYet = await takeTurn(world, terms);
  if (notYet) return { notYet };
  const node = await findNode(world, subject);
  return node ? { node } : {};
}

interface Found {
  readonly node: Node;
  readonly mark: LeavingMark | undefined;
  readonly beat: Beat;
}

/** Nothing runs there: nobody could be evicted, and nothing would be seen to end. */
async function releaseAtOnce(
  world: LeavingWorld,
  terms: LeaveTerms,
  { node, gone }: { readonly node: Node; readonly gone: string },
): Promise<Outcome> {
  const outcome = await release(world, terms, node);
  return { ...outcome, reason: `${gone}, there is nothing to drain; ${outcome.reason}` };
}

async function drain(world: LeavingWorld, terms: LeaveTerms, { node, mark, beat }: Found): Promise<Outcome> {
  const marked = mark ? { node, mark } : await markAsLeaving(world, terms, node);
  const round = await drainRound(world, terms, marked);
  const current = await updateMark(world, terms, { ...marked, held: round.held, beat });
  if (!round.complete) {
    if (hasFailed(world.clock.now(), terms, round)) return await fail(world, terms, { node: current, round });
    if (round.podsLeft.some(usesClaims)) world.memory.forget(terms.instance.instanceId);
    return again(waitSeconds(round), round.words, round.facts);
  }
  const detaching = await waitForDetachment(world, terms, { node: current, podsLeft: round.podsLeft });
  return detaching ?? (await release(world, terms, current));
}

/** The first look after an eviction comes early, for most pods end long before their grace does. */
const waitSeconds = ({ facts, nextLookAfterSeconds }: DrainRound): number =>
  Math.min(nextLookAfterSeconds, facts.podsEvicted === 0 ? longestWaitSeconds : firstLookSeconds);

/** Its volumes may be attached after the Node was last read: it is read anew before it is released. */
const usesClaims = (pod: Pod): boolean =>
  (pod.spec?.volumes ?? []).some(
    (volume) => volume.persistentVolumeClaim != null || volume.ephemeral != null,
  );

async function agreeOnTerms(
  world: LeavingWorld,
  subject: LeavingSubject,
  { seen, mark }: { readonly seen: LeavingSight; readonly mark?: LeavingMark },
): Promise<LeaveTerms> {
  const { instance, group, settings, waits, toWarmPool } = seen;
  if (!instance || !group) throw new TypeError('an instance that leaves is in a managed group');
  return termsOf({
    now: world.clock.now(),
    subject,
    instance,
    group,
    settings,
    waits,
    toWarmPool,
    hooks: await world.autoScaling.describeHooks(group.autoScalingGroupName),
    leavingHookName: world.settings.leavingHookName,
    etcdHookName: world.settings.etcdHookName,
    ...(mark && { markedSince: Date.parse(mark.since) }),
  });
}

type Attempt<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: unknown };

/** An error to be thrown later, once the wait is safe. */
async function attempt<Value>(action: () => Promise<Value>): Promise<Attempt<Value>> {
  try {
    return { ok: true, value: await action() };
  } catch (error) {
    return { ok: false, error };
  }
}
