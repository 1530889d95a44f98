import type { Clock } from '../../base/clock.ts';
import type { Place } from '../events/envelope.ts';
import { readEventText } from '../events/read-event.ts';
import { deduplicationIdOf, leavingMessage } from '../messages.ts';
import type { ManagedGroups } from '../ports.ts';
import type { OutgoingMessage, SendBatch } from '../queue.ts';
import { type Candidate, concernOf, type Known } from './concern.ts';
import { type EtcdDoor, type EtcdWait, type EtcdWaitsTold, etcdWaitOf, tellEtcd } from './etcd-waits.ts';
import { judgeMembership } from './membership.ts';
import type { Arrival, IntakeReport } from './report.ts';

export interface IntakeWorld extends Known {
  readonly place: Place;
  readonly clock: Clock;
  readonly groups: ManagedGroups;
  /** The queue of leaving nodes. */
  readonly send: SendBatch;
  /** Absent where this deployment looks after no etcd. */
  readonly etcd?: EtcdDoor;
}

/**
 * The pass of intake: what has arrived -> what it means -> whose it is -> each reason of each instance once on the queue.
 * Never rejects for an arrival: what failed is in the report, and only that.
 */
export async function takeIn(arrivals: readonly Arrival[], world: IntakeWorld): Promise<IntakeReport> {
  const readings = arrivals.map(({ key, text }) => ({ key, meaning: readEventText(text, world.place) }));
  const waits = readings.map(({ key, meaning }) => world.etcd && etcdWaitOf(key, meaning, world.etcd));
  const etcd = await wakeZone(waits, world);
  const concerns = readings
    .filter((_, index) => waits[index] === undefined)
    .map(({ key, meaning }) => concernOf(key, meaning, world));
  const verdicts = await judgeMembership(
    concerns.flatMap(({ candidates }) => candidates),
    world.groups,
  );
  const ours = verdicts.flatMap((verdict) => (verdict.kind === 'ours' ? [verdict.candidate] : []));
  const { sent, unsent } = await sendEach(ours, world);
  for (const { notice } of sent) world.waitsTold.remember(notice);
  const unjudged = verdicts.flatMap((verdict): [string, Error][] =>
    verdict.kind === 'failed' ? [[verdict.key, verdict.error]] : [],
  );
  return {
    sent: sent.map(({ notice }) => notice),
    woken: etcd.sent,
    leftAlone: [
      ...etcd.leftAlone,
      ...concerns.flatMap(({ leftAlone }) => leftAlone),
      ...verdicts.flatMap((verdict) => (verdict.kind === 'foreign' ? [verdict.leftAlone] : [])),
    ],
    poison: readings.flatMap(({ key, meaning }) =>
      meaning.kind === 'malformed' ? [{ key, reason: `${meaning.what}: ${meaning.error.message}` }] : [],
    ),
    failed: new Map([...etcd.failed, ...unjudged, ...unsent]),
  };
}

/** The waits for etcd are told by themselves: their passes are about the zone, and not about the instance. */
async function wakeZone(
  waits: readonly (EtcdWait | undefined)[],
  world: IntakeWorld,
): Promise<EtcdWaitsTold> {
  const known = waits.filter((wait) => wait !== undefined);
  if (!world.etcd || known.length === 0) return { sent: [], leftAlone: [], failed: [] };
  return await tellEtcd(known, world.etcd, world);
}

/** One message for each reason, whoever repeats it in this batch; an arrival fails when one of its messages does. */
async function sendEach(
  candidates: readonly Candidate[],
  { send, clock }: IntakeWorld,
): Promise<{ readonly sent: readonly Candidate[]; readonly unsent: readonly [string, Error][] }> {
  const reasons = [...Map.groupBy(candidates, ({ notice }) => deduplicationIdOf(notice))].flatMap(
    ([deduplicationId, same]) => (same[0] ? [{ deduplicationId, same, first: same[0] }] : []),
  );
  if (reasons.length === 0) return { sent: [], unsent: [] };
  const sentAt = new Date(clock.now()).toISOString();
  const failures = await send(
    reasons.map(({ deduplicationId, first }) => toMessage(first, deduplicationId, sentAt)),
  );
  const failed = new Map(failures.map(({ index, error }) => [index, error]));
  return {
    sent: reasons.flatMap(({ first }, index) => (failed.has(index) ? [] : [first])),
    unsent: reasons.flatMap(({ same }, index): [string, Error][] => {
      const cause = failed.get(index);
      if (cause === undefined) return [];
      return same.map(({ key }) => [key, new Error('the subject could not be sent', { cause })]);
    }),
  };
}

const toMessage = ({ notice }: Candidate, deduplicationId: string, sentAt: string): OutgoingMessage => ({
  body: JSON.stringify(leavingMessage(notice, sentAt)),
  groupId: notice.instanceId,
  deduplicationId,
});
