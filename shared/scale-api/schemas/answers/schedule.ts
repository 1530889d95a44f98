import * as z from 'zod/mini';
import { heldPods } from './pods.ts';

// Clients read answers with these schemas, and the OpenAPI document contains them. A function uses only their types.

const time = z.iso.datetime();

const scheduleFields = {
  name: z.string(),
  autoScalingGroupName: z.string(),
  nodes: z
    .int()
    .check(z.describe('0 for a schedule for pods: how many they need is known once its hold is made')),
  pods: z.optional(heldPods),
  expression: z.string(),
  timeZone: z.string(),
  durationSeconds: z.int(),
  lead: z.union([z.literal('measured'), z.int()]),
  exceptions: z.array(z.string()),
  raiseMaxSize: z.boolean(),
  paused: z.boolean(),
  by: z.optional(z.string()),
  set: z.optional(z.string().check(z.describe('The set that declares it. Absent if it was made by hand'))),
};

const problem = z.optional(
  z.string().check(z.describe('Why its holds bring no nodes, or why that is unknown')),
);

const unreadable = z.object({
  name: z.string(),
  state: z.literal('unreadable'),
  reason: z.string().check(z.describe('Why it makes no holds')),
});

export const listedSchedule = z
  .discriminatedUnion('state', [
    z.object({
      ...scheduleFields,
      state: z
        .enum(['active', 'paused', 'never'])
        .check(z.describe('never: no hold of it would end after now')),
      problem,
      next: z.optional(time.check(z.describe('When nodes are Ready next'))),
    }),
    unreadable,
  ])
  .check(z.meta({ id: 'ListedSchedule', description: 'A schedule with its next occurrence' }));

export const scheduleList = z
  .object({ schedules: z.array(listedSchedule) })
  .check(z.meta({ id: 'ScheduleList', description: 'Every schedule, by name' }));

const occurrence = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('hold'), localTime: z.string(), madeAt: time, readyAt: time, until: time }),
    z.object({ kind: z.enum(['exception', 'left-out']), localTime: z.string() }),
  ])
  .check(
    z.meta({
      id: 'Occurrence',
      description: 'An occurrence. left-out: the clocks of the time zone skip this time',
    }),
  );

const previewedFields = {
  ...scheduleFields,
  leadSeconds: z.int().check(z.describe('The current lead')),
  occurrences: z.array(occurrence).check(z.describe('The next occurrences')),
};

export const schedule = z
  .object({ ...previewedFields, problem })
  .check(z.meta({ id: 'Schedule', description: 'A schedule with its next occurrences' }));

export const changedSchedule = z
  .object({
    ...previewedFields,
    change: z
      .enum(['created', 'replaced', 'paused', 'resumed', 'unchanged'])
      .check(
        z.describe(
          'What was done, or would be in a dry run. unchanged: the schedule was already as requested',
        ),
      ),
  })
  .check(z.meta({ id: 'ChangedSchedule', description: 'A schedule after a change' }));
