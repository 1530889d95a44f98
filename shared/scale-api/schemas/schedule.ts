import * as z from 'zod/mini';
import { lazily } from '../../base/lazily.ts';
import { durationBounds, leadBounds, mostExceptions } from '../../capacity/schedules/bounds.ts';

/** A schedule of the name in the path. */
export const scheduleRequest = lazily(() =>
  z
    .strictObject({
      autoScalingGroupName: z.string().check(z.minLength(1), z.maxLength(255)),
      nodes: z
        .int()
        .check(z.minimum(1), z.maximum(10_000), z.describe('How many nodes the group has at least')),
      expression: z
        .string()
        .check(
          z.maxLength(256),
          z.describe(
            'When the nodes are Ready, as EventBridge Scheduler writes it: cron(0 8 ? * MON-FRI *) or at(2026-12-24T08:00:00)',
          ),
        ),
      timeZone: z.optional(z.string().check(z.maxLength(50), z.describe('Such as Europe/Berlin; else UTC'))),
      durationSeconds: z
        .int()
        .check(
          z.minimum(durationBounds.minimum),
          z.maximum(durationBounds.maximum),
          z.describe('How long the nodes are kept, from each time on'),
        ),
      lead: z.optional(
        z
          .union([
            z.literal('measured'),
            z.int().check(z.minimum(leadBounds.minimum), z.maximum(leadBounds.maximum)),
          ])
          .check(
            z.describe(
              'Seconds ahead of each time that the hold is made; measured: as launches of the group take',
            ),
          ),
      ),
      exceptions: z.optional(
        z
          .array(z.iso.date())
          .check(z.maxLength(mostExceptions), z.describe('Dates in the time zone that are skipped')),
      ),
      raiseMaxSize: z.optional(
        z.boolean().check(z.describe('Raise MaxSize too where it is smaller; it comes down afterwards')),
      ),
    })
    .check(z.meta({ id: 'ScheduleRequest', description: 'Nodes that are Ready at certain times' })),
);

export const schedulePause = lazily(() =>
  z
    .strictObject({ paused: z.boolean() })
    .check(z.meta({ id: 'SchedulePause', description: 'Whether the schedule makes holds' })),
);

export const scheduleParameters = lazily(() =>
  z.object({
    schedule: z.string().check(z.describe('The name of the schedule: letters, digits, dots and dashes')),
  }),
);
