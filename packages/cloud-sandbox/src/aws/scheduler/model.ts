import type {
  ActionAfterCompletion,
  FlexibleTimeWindow,
  ScheduleState,
  Target,
} from '@aws-sdk/client-scheduler';
import type { Timer } from '../../simulation/clock.ts';
import type { Schedule as Timing } from '../events/schedule-expression.ts';
import type { Deliver, ServiceParts } from '../integration.ts';

/** A schedule; an update replaces it whole, as UpdateSchedule does. */
export interface Schedule {
  readonly name: string;
  readonly groupName: string;
  readonly arn: string;
  readonly expression: string;
  readonly timing: Timing;
  readonly timeZone: string;
  readonly startsAt: number | undefined;
  readonly endsAt: number | undefined;
  readonly description: string | undefined;
  readonly state: ScheduleState;
  readonly flexibleWindow: FlexibleTimeWindow;
  readonly target: Target;
  readonly actionAfterCompletion: ActionAfterCompletion;
  readonly createdAt: number;
  readonly modifiedAt: number;
  timer: Timer | undefined;
}

export interface ScheduleGroup {
  readonly name: string;
  readonly arn: string;
  readonly createdAt: number;
  /** By name. */
  readonly schedules: Map<string, Schedule>;
  readonly tags: Map<string, string>;
}

export interface SchedulerWorld extends ServiceParts {
  readonly deliver: Deliver;
  readonly groups: Map<string, ScheduleGroup>;
}

export const defaultGroup = 'default';

export const groupArnOf = ({ region, accountId }: ServiceParts, name: string): string =>
  `arn:aws:scheduler:${region}:${accountId}:schedule-group/${name}`;
