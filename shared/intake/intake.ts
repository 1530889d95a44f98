import type { Clock } from '../base/clock.ts';
import type { HeartbeatRequest, RequestHeartbeats } from '../heartbeats/request.ts';
import { leavingMessage } from '../passes/leaving-message.ts';
import type { LeavingNotice } from '../passes/leaving-notice.ts';
import type { SendBatch } from '../passes/queue.ts';
import type { Arrival } from './arrivals.ts';
import { type Candidate, candidatesOf, checkAge } from './candidates.ts';
import type { Place } from './events/meaning.ts';
import { readEventText } from './events/read-event.ts';
import type { HurryLimit } from './hurry-limit.ts';
import type { IntakeReport } from './intake-report.ts';
import { checkMembership, type ManagedGroups } from './membership.ts';
import {
  type EtcdIntake,
  etcdTakenOf,
  etcdWaitOf,
  type JoiningIntake,
  joiningWaitOf,
  sendWakeUps,
} from './wake-ups.ts';

interface IntakeContext {
  /** The hook of leaving nodes. */
  readonly leavingHookName: string;
  readonly place: Place;
  readonly clock: Clock;
  readonly groups: ManagedGroups;
  readonly hurryLimit: HurryLimit;
  /** The queue of leaving nodes. */
  readonly send: SendBatch;
  readonly requestHeartbeats: RequestHeartbeats;
  readonly joining: JoiningIntake;
  /** Absent if this deployment manages no etcd. */
  readonly etcd?: EtcdIntake;
}

/**
 * Reads the arrivals, keeps what concerns this cluster, and sends each reason of each instance once to its queue. It never rejects
 * because of an arrival: the report lists the arrivals that failed.
 */
export async function takeIn(arrivals: readonly Arrival[], context: IntakeContext): Promise<IntakeReport> {
  const readings = arrivals.map(({ key, text, receivedAt }) => ({
    key,
    meaning: checkAge(readEventText(text, context.place), receivedAt),
  }));
  const { etcd, joining } = context;
  const waits = readings.map(({ key, meaning }) =>
    [etcd && etcdWaitOf(key, meaning, etcd), joiningWaitOf(key, meaning, joining)].filter(
      (wait) => wait !== undefined,
    ),
  );
  const read = readings
    .filter((_, index) => waits[index]?.length === 0)
    .map(({ key, meaning }) => candidatesOf(key, meaning, context));
  const verdicts = await checkMembership(
    read.flatMap(({ candidates }) => candidates),
    context.groups,
  );
  const ours = verdicts.flatMap((verdict) => (verdict.kind === 'ours' ? [verdict] : []));
  const { admitted = [], postponed = [] } = Object.groupBy(ours, ({ candidate }) =>
    context.hurryLimit.admit(candidate.notice) ? 'admitted' : 'postponed',
  );
  const taken = etcd ? admitted.flatMap((verdict) => etcdTakenOf(verdict, etcd) ?? []) : [];
  const woken = await sendWakeUps([...waits.flat(), ...taken], context);
  const { sent, unsent } = await sendEach(
    admitted.map(({ candidate }) => candidate),
    context,
  );
  const unjudged = verdicts.flatMap((verdict): [string, Error][] =>
    verdict.kind === 'failed' ? [[verdict.key, verdict.error]] : [],
  );
  return {
    sent: sent.map(({ notice }) => notice),
    woken: woken.sent,
    leftAlone: [
      ...woken.leftAlone,
      ...read.flatMap(({ leftAlone }) => leftAlone),
      ...verdicts.flatMap((verdict) => (verdict.kind === 'foreign' ? [verdict.leftAlone] : [])),
    ],
    poison: readings.flatMap(({ key, meaning }) =>
      meaning.kind === 'malformed' ? [{ key, reason: `${meaning.what}: ${meaning.error.message}` }] : [],
    ),
    postponed: [...new Set(postponed.map(({ candidate }) => candidate.key))],
    failed: new Map([...woken.failed, ...unjudged, ...unsent]),
  };
}

/**
 * Sends one message for each reason, however often the batch repeats it, and one for the heartbeats of each wait. An arrival fails if one of
 * its messages fails, and is then sent again as a whole.
 */
async function sendEach(
  candidates: readonly Candidate[],
  { send, requestHeartbeats, clock }: IntakeContext,
): Promise<{ readonly sent: readonly Candidate[]; readonly unsent: readonly [string, Error][] }> {
  const sentAt = new Date(clock.now()).toISOString();
  const reasons = Map.groupBy(
    candidates.map((candidate) => {
      const heartbeats = heartbeatsOf(candidate.notice);
      const notice = heartbeats ? { ...candidate.notice, hasHeartbeats: true as const } : candidate.notice;
      return { candidate, heartbeats, message: leavingMessage(notice, sentAt) };
    }),
    ({ message }) => message.deduplicationId,
  );
  const firsts = [...reasons.values()].flatMap(([first]) => first ?? []);
  if (firsts.length === 0) return { sent: [], unsent: [] };
  const held = firsts.flatMap(({ heartbeats, message }) => (heartbeats ? [{ heartbeats, message }] : []));
  const withoutHeartbeats = await requestHeartbeats(held.map(({ heartbeats }) => heartbeats));
  const failures = await send(firsts.map(({ message }) => message));
  const failed = new Map([
    ...withoutHeartbeats.map(({ index, error }) => [held[index]?.message.deduplicationId, error] as const),
    ...failures.map(({ index, error }) => [firsts[index]?.message.deduplicationId, error] as const),
  ]);
  return {
    sent: firsts
      .filter(({ message }) => !failed.has(message.deduplicationId))
      .map(({ candidate }) => candidate),
    unsent: [...failed].flatMap(([id, cause]) =>
      (reasons.get(id) ?? []).map(({ candidate }): [string, Error] => [
        candidate.key,
        new Error('the subject could not be sent', { cause }),
      ]),
    ),
  };
}

/** The heartbeats that the wait of a notice needs; undefined if no hook holds the instance. */
function heartbeatsOf({ cause, hook, instanceId, noticedAt }: LeavingNotice): HeartbeatRequest | undefined {
  if (cause !== 'terminating' || !hook) return undefined;
  return {
    action: { instanceId, ...hook },
    transition: 'terminating',
    noticedAt: Date.parse(noticedAt),
  };
}
