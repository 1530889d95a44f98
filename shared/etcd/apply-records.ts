import { messageOf } from '../base/message-of.ts';
import { again, type Outcome } from '../passes/outcome.ts';
import type { EtcdContext } from './context.ts';
import { type EtcdDecision, patienceSeconds } from './decision.ts';
import { type EtcdGroup, updateStatusTags } from './groups.ts';
import { afterChanges, type EtcdMemory, type PendingChange } from './memory.ts';
import type { EtcdObservation } from './observe.ts';
import { changedAtIn, planPublication, type RecordConflict } from './plan-records.ts';
import { ZoneError } from './zone.ts';

type AppliedRecords =
  /** Every name server answers with the wanted records. */
  | { readonly kind: 'in-sync' }
  | { readonly kind: 'changed'; readonly reason: string }
  /** Something else changed the zone at the same time. */
  | { readonly kind: 'overtaken'; readonly reason: string }
  | { readonly kind: 'conflict'; readonly problems: readonly string[] };

/** Route 53 needs at most about 60 s to propagate a change. A cold Lambda does not know the id of its last change, and waits this long. */
const syncSeconds = 60;

/** Changes the zone to what the decision wants, in one batch. The batch fails as a whole if the zone has changed since it was read. */
export async function applyRecords(
  context: Pick<EtcdContext, 'zone' | 'memory' | 'settings'>,
  observation: EtcdObservation,
  { publication }: Pick<EtcdDecision, 'publication'>,
): Promise<AppliedRecords> {
  const { settings, memory } = context;
  if (!publication) return waitForSync(observation, changedAtIn(observation, settings.naming), memory);
  const { plan, changedAt } = planPublication(observation, publication);
  if (plan.conflicts.length > 0) return { kind: 'conflict', problems: plan.conflicts.map(describeConflict) };
  if (plan.changes.length === 0) return waitForSync(observation, changedAt, memory);
  try {
    const changeId = await context.zone.change(plan.changes, `drover, cluster ${settings.clusterName}`);
    memory.recordChange({ changeId, changedAt }, afterChanges(observation.zone, plan.changes));
    return {
      kind: 'changed',
      reason: `changed ${plan.changes.length} record sets of ${settings.naming.domain}`,
    };
  } catch (error) {
    memory.forgetZone();
    if (!(error instanceof ZoneError) || error.code !== 'conflict') throw error;
    return {
      kind: 'overtaken',
      reason: `something else changed the records of Drover in ${settings.naming.domain} at the same time: the next pass reads them again`,
    };
  }
}

function waitForSync(
  { now }: EtcdObservation,
  changedAt: number,
  memory: Pick<EtcdMemory, 'isInSync'>,
): AppliedRecords {
  const secondsLeft = changedAt + syncSeconds - now / 1000;
  if (memory.isInSync(changedAt) || secondsLeft <= 0) return { kind: 'in-sync' };
  return { kind: 'changed', reason: `the zone changed less than ${syncSeconds} s ago` };
}

const describeConflict = ({ name, type, why }: RecordConflict): string =>
  `the record ${type} ${name} is in the way: ${why}; Drover changes nothing until it is gone`;

const seconds = { propagating: 5, trouble: 20 } as const;

/**
 * The change that this Lambda made and that is still propagating. If Route 53 cannot report on it, the pass waits by the time in the
 * mark, as a cold Lambda does.
 */
export async function pendingChange({
  memory,
  zone,
  onProblem,
}: EtcdContext): Promise<PendingChange | undefined> {
  const pending = memory.pendingChange();
  if (!pending) return undefined;
  try {
    if (!(await zone.isInSync(pending.changeId))) return pending;
    memory.markInSync();
  } catch (error) {
    if (!(error instanceof ZoneError) || error.code === 'busy') throw error;
    memory.forgetChange();
    onProblem(`Route 53 cannot report whether its change ${pending.changeId} is in sync`, error);
  }
  return undefined;
}

/** Waits for what only an operator can fix. The status tag and the metric show the problem. */
async function waitForOperator(
  context: EtcdContext,
  groups: readonly EtcdGroup[],
  problem: string,
): Promise<Outcome> {
  await updateStatusTags(context, groups, [problem]);
  return again(seconds.trouble, problem, { waitsFor: 'zone', etcdProblems: 1, problem });
}

/** @throws the error unchanged, unless Route 53 refuses for a reason that only an operator can fix. */
export async function waitForAccess(
  context: EtcdContext,
  groups: readonly EtcdGroup[],
  error: unknown,
): Promise<Outcome> {
  const refusal = refusalIn(error);
  if (!refusal) throw error;
  context.onProblem('Route 53 refuses', error);
  return await waitForOperator(context, groups, messageOf(error));
}

/** The refusal of Route 53 that an error is, has as its cause, or contains among the failures of several calls. */
function refusalIn(error: unknown): ZoneError | undefined {
  if (error instanceof ZoneError) return error.code === 'busy' ? undefined : error;
  if (!(error instanceof Error)) return undefined;
  const inner: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  for (const one of [...inner, error.cause]) {
    const found = refusalIn(one);
    if (found) return found;
  }
  return undefined;
}

/** @returns a problem once the change takes longer than Route 53 normally needs. */
export async function waitForPropagation(
  context: EtcdContext,
  groups: readonly EtcdGroup[],
  { changeId, changedAt }: PendingChange,
): Promise<Outcome> {
  if (context.clock.now() / 1000 - changedAt <= patienceSeconds)
    return again(seconds.propagating, 'Route 53 is propagating a change', { waitsFor: 'dns' });
  const problem = `Route 53 has been propagating its change ${changeId} for more than ${patienceSeconds / 60} minutes, and members must find each other in DNS: see aws route53 get-change --id ${changeId}, and the AWS Health Dashboard`;
  return await waitForOperator(context, groups, problem);
}
