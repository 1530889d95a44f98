import type { GroupMember } from '../groups/group.ts';
import { ProblemError } from './problem.ts';
import { listManagedGroups, type ManagedGroup, type ScaleContext } from './scale-context.ts';

export interface FoundInstance {
  readonly group: ManagedGroup;
  readonly member: GroupMember;
}

/**
 * The instance with this id, if a managed group has it. The error for an instance of a foreign group is the same as for a missing one.
 *
 * @throws ProblemError with status 404.
 */
export async function findInstance(context: ScaleContext, instanceId: string): Promise<FoundInstance> {
  for (const group of await listManagedGroups(context)) {
    const member = group.instances.find((one) => one.instanceId === instanceId);
    if (member) return { group, member };
  }
  throw instanceNotFound();
}

export const instanceNotFound = (cause?: unknown): ProblemError =>
  new ProblemError({
    code: 'instance-not-found',
    detail: 'no managed group of this cluster has an instance of that id',
    cause,
  });
