import type { PreviewedOccurrence } from '../../shared/capacity/schedules/preview.ts';
import type { Schedule, ScheduleRecord } from '../../shared/capacity/schedules/schedule.ts';
import { type AccessFlags, usesScaleApi } from '../access/flags.ts';
import type { CliContext } from '../context.ts';

/** A schedule as commands show it. */
export interface ShownSchedule extends Omit<Schedule, 'timing'> {
  readonly timeZone: string;
}

/** A schedule with its next occurrences. */
export interface SchedulePreview {
  readonly schedule: ShownSchedule;
  readonly leadSeconds: number;
  readonly occurrences: readonly PreviewedOccurrence[];
  /** Why its holds bring no nodes, or why that is unknown. */
  readonly problem?: string | undefined;
}

export type ListedSchedule =
  | {
      readonly kind: 'schedule';
      readonly schedule: ShownSchedule;
      /** Epoch milliseconds; undefined if the schedule is paused or never runs again. */
      readonly next: number | undefined;
      /** Why its holds bring no nodes, or why that is unknown. */
      readonly problem: string | undefined;
    }
  | { readonly kind: 'unreadable'; readonly name: string; readonly why: string };

export interface CreateOptions {
  readonly dryRun: boolean;
  readonly replace: boolean;
  /** The number of occurrences in the result. */
  readonly count: number;
}

export interface CreatedSchedule extends SchedulePreview {
  readonly change: 'created' | 'replaced' | 'unchanged';
}

export interface ChangeOptions {
  readonly dryRun: boolean;
  /** Deletes the schedule only if it still belongs to this set. If it is gone already, it counts as changed. */
  readonly ofSet?: string;
}

export interface ChangedSchedule {
  readonly isChanged: boolean;
  /** Undefined if the schedule cannot be read. */
  readonly autoScalingGroupName: string | undefined;
}

export type ScheduleChange = 'pause' | 'resume' | 'delete';

/** The schedules of a cluster, read and changed directly or through the scale API. */
export interface Schedules {
  list(): Promise<readonly ListedSchedule[]>;
  preview(name: string, count: number): Promise<SchedulePreview>;
  create(record: ScheduleRecord, options: CreateOptions): Promise<CreatedSchedule>;
  change(change: ScheduleChange, name: string, options: ChangeOptions): Promise<ChangedSchedule>;
}

/** Chooses the access to schedules by the flags. */
export async function schedulesOf(flags: AccessFlags, context: CliContext): Promise<Schedules> {
  if (usesScaleApi(flags)) return (await import('./over-api.ts')).schedulesOverApi(flags, context);
  return (await import('./direct.ts')).directSchedules(flags, context);
}
