import type { Outcome } from '../../lifecycle/outcome.ts';
import { type LeavingMark, readLeavingMark } from '../leaving-mark.ts';
import { findNode } from './find-node.ts';
import { goOn, type Whereabouts } from './go-on.ts';
import { hooksOf } from './hooks-of.ts';
import { inTimeForBeat, keepWaiting } from './keep-waiting.ts';
import type { Sight } from './sight.ts';
import { takeTurn } from './take-turn.ts';
import { type LeaveTerms, termsOf } from './terms.ts';
import type { LeavingSubject, LeavingWorld } from './world.ts';

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
  const askedAt = world.clock.now();
  const beat = await keepWaiting(world, terms, mark);
  if (!search.ok) throw search.error;
  const { ec2 } = seen;
  const outcome = await goOn(world, { terms, found: search.value, mark, beat, ...(ec2 && { ec2 }) });
  return inTimeForBeat(world, terms, { outcome, mark, ...(beat === 'beat' && { beatAt: askedAt }) });
}

/** Who has to wait for a turn is told so before anything is asked about its Node. */
async function nodeInItsTurn(
  world: LeavingWorld,
  subject: LeavingSubject,
  terms: LeaveTerms,
): Promise<Whereabouts> {
  const notYet = await takeTurn(world, terms);
  if (notYet) return { notYet };
  const node = await findNode(world, subject, terms);
  return node ? { node } : {};
}

async function agreeOnTerms(
  world: LeavingWorld,
  subject: LeavingSubject,
  { seen, mark }: { readonly seen: LeavingSight; readonly mark?: LeavingMark },
): Promise<LeaveTerms> {
  const { instance, group, settings, waits, toWarmPool } = seen;
  if (!instance || !group) throw new TypeError('an instance that leaves is in a managed group');
  const markedSince = mark && { markedSince: Date.parse(mark.since) };
  return termsOf({
    now: world.clock.now(),
    subject,
    instance,
    group,
    settings,
    waits,
    toWarmPool,
    hooks: await hooksOf(world, subject, { ...seen, ...markedSince }),
    leavingHookName: world.settings.leavingHookName,
    etcdHookName: world.settings.etcdHookName,
    ...markedSince,
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
