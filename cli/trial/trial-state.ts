import type { AutoScalingGroup, GroupMember } from '../../shared/groups/group.ts';
import { isTerminated, isTerminating } from '../../shared/groups/lifecycle-state.ts';
import type { TrialAccess } from './access.ts';
import type { TrialRecord } from './record.ts';
import { StepFailure } from './wait.ts';

/** A trial that goes on, or that another process has left. */
export interface Trial {
  readonly access: TrialAccess;
  readonly namespaceUid: string;
  readonly record: () => TrialRecord;
  /** Adds to the record, here and in the cluster. */
  readonly keep: (more: Partial<TrialRecord>) => Promise<void>;
  /** Whether pods of others on the node of the trial may be evicted. */
  readonly evictsOthers: boolean;
}

export function createTrial({
  access,
  namespaceUid,
  record: first,
  evictsOthers,
}: Pick<Trial, 'access' | 'namespaceUid' | 'evictsOthers'> & { readonly record: TrialRecord }): Trial {
  let record = first;
  return {
    access,
    namespaceUid,
    evictsOthers,
    record: () => record,
    keep: async (more) => {
      record = { ...record, ...more };
      await access.trials.keep(namespaceUid, record);
    },
  };
}

/** The trial after its namespace was deleted: its record is only here. */
export function withoutNamespace(trial: Trial): Trial {
  let record = trial.record();
  return {
    ...trial,
    record: () => record,
    keep: async (more) => {
      record = { ...record, ...more };
    },
  };
}

/** @throws StepFailure if the group is gone. */
export async function groupOf({ access, record }: Trial): Promise<AutoScalingGroup> {
  const { group: name } = record();
  const group = await access.readGroup(name);
  if (group) return group;
  throw new StepFailure(`Auto Scaling group ${name} is gone`);
}

export const memberOf = (
  { instances }: AutoScalingGroup,
  instanceId: string | undefined,
): GroupMember | undefined => instances.find((member) => member.instanceId === instanceId);

export const isLeaving = (member: GroupMember): boolean => isTerminating(member) || isTerminated(member);

/** The instances of the group that were not there before the trial. */
export const newcomersIn = (
  { instances }: AutoScalingGroup,
  { instanceIds }: TrialRecord,
): readonly GroupMember[] => instances.filter(({ instanceId }) => !instanceIds.includes(instanceId));
