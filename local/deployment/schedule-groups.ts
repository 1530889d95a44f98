import type { ScheduleGroupWiring } from '@drover/cloud-sandbox';
import * as z from 'zod/mini';
import { readResources, type Stack } from './stack.ts';

const scheduleGroupReader = {
  type: 'AWS::Scheduler::ScheduleGroup',
  schema: z.strictObject({
    Name: z.string(),
    Tags: z.optional(z.array(z.strictObject({ Key: z.string(), Value: z.string() }))),
  }),
};

/** The groups of schedules; from their tags the CLI learns what schedules start. */
export function readScheduleGroups(stack: Stack): readonly ScheduleGroupWiring[] {
  return readResources(stack, scheduleGroupReader).map(({ properties: { Name, Tags = [] } }) => ({
    name: Name,
    tags: Object.fromEntries(Tags.map(({ Key, Value }) => [Key, Value])),
  }));
}
