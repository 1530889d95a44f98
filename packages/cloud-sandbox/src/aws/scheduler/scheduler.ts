import type {
  CreateScheduleGroupInput,
  DeleteScheduleGroupInput,
  GetScheduleGroupInput,
  ListTagsForResourceInput,
  ScheduleGroupState,
  Tag,
  TagResourceInput,
  UntagResourceInput,
} from '@aws-sdk/client-scheduler';
import type { Deliver, ServiceParts } from '../integration.ts';
import type { AwsService } from '../service.ts';
import { schedulerErrors } from './errors.ts';
import { defaultGroup, groupArnOf, type ScheduleGroup, type SchedulerWorld } from './model.ts';
import { disarm } from './running.ts';
import { findGroup, scheduleOperations } from './schedule-operations.ts';

export interface SchedulerOptions extends ServiceParts {
  readonly deliver: Deliver;
}

const groupOperations = (world: SchedulerWorld) => ({
  CreateScheduleGroup: ({ Name: name = '', Tags = [] }: CreateScheduleGroupInput) => {
    if (world.groups.has(name)) throw schedulerErrors.conflict('Schedule group', name);
    const group = newGroup(world, name);
    setTags(group, Tags);
    world.groups.set(name, group);
    return { ScheduleGroupArn: group.arn };
  },
  GetScheduleGroup: ({ Name }: GetScheduleGroupInput) => toGroup(findGroup(world, Name)),
  ListScheduleGroups: () => ({ ScheduleGroups: [...world.groups.values()].map(toGroup) }),
  /** Its schedules go with it; the default group stays. */
  DeleteScheduleGroup: ({ Name: name = '' }: DeleteScheduleGroupInput): Record<string, never> => {
    if (name === defaultGroup)
      throw schedulerErrors.validation('The default schedule group cannot be deleted.');
    for (const schedule of findGroup(world, name).schedules.values()) disarm(schedule);
    world.groups.delete(name);
    return {};
  },
  ListTagsForResource: ({ ResourceArn }: ListTagsForResourceInput) => ({
    Tags: [...groupByArn(world, ResourceArn).tags].map(([Key, Value]) => ({ Key, Value })),
  }),
  TagResource: ({ ResourceArn, Tags = [] }: TagResourceInput): Record<string, never> => {
    setTags(groupByArn(world, ResourceArn), Tags);
    return {};
  },
  UntagResource: ({ ResourceArn, TagKeys = [] }: UntagResourceInput): Record<string, never> => {
    const { tags } = groupByArn(world, ResourceArn);
    for (const key of TagKeys) tags.delete(key);
    return {};
  },
});

/** Only schedule groups have tags (API reference, TagResource). */
function groupByArn(world: SchedulerWorld, arn = ''): ScheduleGroup {
  const group = [...world.groups.values()].find((each) => each.arn === arn);
  if (group === undefined) throw schedulerErrors.notFound('Schedule group', arn.split('/').at(-1) ?? arn);
  return group;
}

function setTags({ tags }: ScheduleGroup, given: readonly Tag[]): void {
  for (const { Key = '', Value = '' } of given) tags.set(Key, Value);
}

const newGroup = (parts: ServiceParts, name: string): ScheduleGroup => ({
  name,
  arn: groupArnOf(parts, name),
  createdAt: parts.clock.now(),
  schedules: new Map(),
  tags: new Map(),
});

const toGroup = (group: ScheduleGroup) => ({
  Arn: group.arn,
  Name: group.name,
  State: 'ACTIVE' satisfies ScheduleGroupState,
  CreationDate: new Date(group.createdAt),
  LastModificationDate: new Date(group.createdAt),
});

const operationsOf = (world: SchedulerWorld) => ({ ...scheduleOperations(world), ...groupOperations(world) });

/** Amazon EventBridge Scheduler. Left out: client tokens, templated and universal targets. */
export interface Scheduler extends AwsService {
  readonly operations: ReturnType<typeof operationsOf>;
}

export function createScheduler(options: SchedulerOptions): Scheduler {
  const { clock, random, accountId, region, deliver } = options;
  const parts = { clock, random, accountId, region };
  const world = { ...parts, deliver, groups: new Map([[defaultGroup, newGroup(parts, defaultGroup)]]) };
  return { signingName: 'scheduler', operations: operationsOf(world) };
}
