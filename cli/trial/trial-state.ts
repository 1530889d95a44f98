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
  /** Adds to the record, only here. */
  readonly remember: (more: Partial<TrialRecord>) => void;
  /** Adds to the record, here and in the cluster. Resolves with what the cluster had before. */
  readonly keep: (more: Partial<TrialRecord>) => Promise<TrialRecord>;
  readonly seen: TrialSeen;
  /** Whether other pods on the node of the trial may be evicted. */
  readonly evictsOthers: boolean;
}

/** What this process knows of a trial, and no other one. */
interface TrialSeen {
  /** It has made the trial. */
  readonly isOwnRun: boolean;
  /** AWS has accepted the termination of the instance. */
  isTerminated: boolean;
}

export function createTrial({
  access,
  namespaceUid,
  record: first,
  evictsOthers,
  isOwnRun,
}: Pick<Trial, 'access' | 'namespaceUid' | 'evictsOthers'> & {
  readonly record: TrialRecord;
  readonly isOwnRun: boolean;
}): Trial {
  let record = first;
  const remember = (more: Partial<TrialRecord>): void => {
    record = { ...record, ...more };
  };
  return {
    access,
    namespaceUid,
    evictsOthers,
    record: () => record,
    remember,
    seen: { isOwnRun, isTerminated: false },
    keep: async (more) => {
      remember(more);
      return await access.trials.keep(namespaceUid, more);
    },
  };
}

/** The trial after its namespace was deleted: its record is only here. */
export const withoutNamespace = (trial: Trial): Trial => ({
  ...trial,
  keep: async (more) => {
    const before = trial.record();
    trial.remember(more);
    return before;
  },
});

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
