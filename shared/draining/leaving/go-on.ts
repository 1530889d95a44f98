import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { Ec2Instance } from '../../lifecycle/group.ts';
import { again, type Outcome } from '../../lifecycle/outcome.ts';
import { type Pause, pausedReason, pauseOf } from '../../lifecycle/pause.ts';
import type { LeavingMark } from '../leaving-mark.ts';
import { type DrainRound, drainRound } from './drain-round.ts';
import { fail, hasFailed } from './failure.ts';
import { type Beat, besideBeats } from './keep-waiting.ts';
import { whyMachineIsGone } from './machine.ts';
import { markAsLeaving, updateMark } from './marking.ts';
import { release } from './release.ts';
import type { LeaveTerms } from './terms.ts';
import { claimsOf } from './volumes.ts';
import { waitForDetachment } from './wait-for-detachment.ts';
import type { LeavingWorld } from './world.ts';

/** A spot warning of two minutes may come at any time, and it waits behind this message. */
const longestWaitSeconds = 20;
const firstLookSeconds = 5;

/** What the search for its turn and its Node has come to. */
export interface Whereabouts {
  readonly notYet?: Outcome;
  readonly node?: Node;
}

interface Heartbeat {
  readonly mark: LeavingMark | undefined;
  readonly beat: Beat;
}

/** The steps that come once the wait is safe: the first one that has to wait, or ends it, answers. */
export async function goOn(
  world: LeavingWorld,
  {
    terms,
    found,
    ec2,
    mark,
    beat,
  }: Heartbeat & {
    readonly terms: LeaveTerms;
    readonly found: Whereabouts;
    readonly ec2?: Ec2Instance;
  },
): Promise<Outcome> {
  const paused = pauseOf(terms.group.tags);
  if (paused) return await hold(world, terms, { ...found, paused, beat, mark });
  if (found.notYet) return besideBeats(world, terms, found.notYet);
  const { node } = found;
  if (!node) return await release(world, terms, undefined);
  const { instanceId } = terms.instance;
  const gone = await whyMachineIsGone(world, { instanceId, node, ...(ec2 && { seen: ec2 }) });
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
  { paused, node, mark, beat }: Heartbeat & { readonly paused: Pause; readonly node?: Node },
): Promise<Outcome> {
  if (node && mark && beat === 'beat')
    await updateMark(world, terms, { node, mark, held: mark.waitingFor, beat });
  const reason = pausedReason(paused, { now: world.clock.now(), limit: terms.deadlines.limit });
  const outcome = again(longestWaitSeconds, reason, { waitsFor: 'pause' });
  return mark ? outcome : besideBeats(world, terms, outcome);
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

async function drain(
  world: LeavingWorld,
  terms: LeaveTerms,
  { node, mark, beat }: Heartbeat & { readonly node: Node },
): Promise<Outcome> {
  const marked = mark ? { node, mark } : await markAsLeaving(world, terms, node);
  const round = await drainRound(world, terms, marked);
  const claims = round.podsLeft.some((pod) => claimsOf(pod).length > 0);
  const current = await updateMark(world, terms, { ...marked, held: round.held, beat, claims });
  if (!round.complete) {
    if (hasFailed(world.clock.now(), terms, round)) return await fail(world, terms, { node: current, round });
    return again(waitSeconds(round), round.words, round.facts);
  }
  const detaching = await waitForDetachment(world, terms, {
    ...marked,
    node: current,
    podsLeft: round.podsLeft,
  });
  return detaching ?? (await release(world, terms, current));
}

/** The first look after an eviction comes early, for most pods end long before their grace does. */
const waitSeconds = ({ facts, nextCheckAfterSeconds }: DrainRound): number =>
  Math.min(nextCheckAfterSeconds, facts.podsEvicted === 0 ? longestWaitSeconds : firstLookSeconds);
