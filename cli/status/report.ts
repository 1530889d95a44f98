import type { JoiningLine, LeavingLine } from '../../shared/capacity/pass-lines.ts';
import type { Pause } from '../../shared/passes/pause.ts';
import type { Missing, SourceName } from '../../shared/problems/observation.ts';
import type { Problem } from '../../shared/problems/problem.ts';
import type { ScheduledActionLine } from '../../shared/problems/scheduled-actions.ts';
import type { RepairFinding } from '../../shared/sweep/repair/judge-repairs.ts';

/** Leaving nodes and problems: the output of `drover status --json`. Times are ISO 8601 in UTC. */
export interface StatusReport {
  readonly at: string;
  readonly clusterName: string | null;
  readonly leaving: readonly ReportedLeaving[];
  /** Launched instances that wait on Drover's hook. */
  readonly joining: readonly JoiningLine[];
  /** The failing nodes of groups that ask for repair, and what the next sweep does about them. */
  readonly repairs: readonly RepairLine[];
  readonly groups: readonly GroupLine[];
  /** The scheduled actions of Auto Scaling that touch managed groups, the next one first. */
  readonly scheduledActions: readonly ScheduledActionLine[];
  readonly problems: readonly Problem[];
  /** What could not be asked: without it there may be more than is shown. */
  readonly missing: readonly Missing[];
  /** What this command does not ask, or may not ask with this identity. */
  readonly notLookedAt: readonly SourceName[];
  /** Of the nodes whose instances wait: the one whose mark was not renewed for the longest time. */
  readonly oldestRenewal: OldestRenewal | null;
}

export type ReportedLeaving = LeavingLine & {
  /** The end of the wait, which nothing can extend. */
  readonly heldUntil: string | null;
};

export type RepairLine = Omit<RepairFinding, 'since'> & {
  /** Null if the Node does not have it. */
  readonly since: string | null;
};

export interface GroupLine {
  readonly autoScalingGroupName: string;
  readonly role: string;
  readonly instances: number;
  readonly leaving: number;
  readonly hasHook: boolean;
  readonly paused: Pause | null;
}

export interface OldestRenewal {
  readonly node: string;
  readonly at: string;
  readonly ageSeconds: number;
}
