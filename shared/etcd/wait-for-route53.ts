import { again, type Outcome } from '../passes/outcome.ts';
import type { EtcdContext } from './context.ts';
import type { EtcdGroup } from './groups.ts';
import type { PendingChange } from './memory.ts';
import { patienceSeconds } from './patience.ts';
import { updateStatusTags } from './status-tag.ts';
import { ZoneError } from './zone.ts';

const seconds = { propagating: 5, trouble: 20 } as const;

/**
 * The change of this Lambda that is still propagating. Where Route 53 cannot tell, the pass waits by the time in the mark, as a cold
 * Lambda does.
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
    onProblem(`Route 53 does not tell whether its change ${pending.changeId} is in sync`, error);
  }
  return undefined;
}

/** Nothing can be done until Route 53 does its part: the tag and the metric say so. */
async function waitForPerson(
  context: EtcdContext,
  groups: readonly EtcdGroup[],
  problem: string,
): Promise<Outcome> {
  await updateStatusTags(context, groups, [problem]);
  return again(seconds.trouble, problem, { waitsFor: 'zone', etcdProblems: 1, problem });
}

/** @throws the error again unless Route 53 refused for good. */
export async function waitForAccess(
  context: EtcdContext,
  groups: readonly EtcdGroup[],
  error: unknown,
): Promise<Outcome> {
  if (!(error instanceof ZoneError) || error.code === 'busy') throw error;
  context.onProblem('Route 53 refuses', error);
  return await waitForPerson(context, groups, error.message);
}

/** @returns a problem once the change takes longer than Route 53 ever needs. */
export async function waitForPropagation(
  context: EtcdContext,
  groups: readonly EtcdGroup[],
  { changeId, changedAt }: PendingChange,
): Promise<Outcome> {
  if (context.clock.now() / 1000 - changedAt <= patienceSeconds)
    return again(seconds.propagating, 'Route 53 is propagating a change', { waitsFor: 'dns' });
  const problem = `Route 53 has been propagating its change ${changeId} for more than ${patienceSeconds / 60} minutes, and members must find each other in DNS: see aws route53 get-change --id ${changeId}, and the AWS Health Dashboard`;
  return await waitForPerson(context, groups, problem);
}
