import type {
  BatchDeleteScheduledActionType,
  BatchPutScheduledUpdateGroupActionType,
  DeleteScheduledActionType,
  DescribeScheduledActionsType,
  FailedScheduledUpdateGroupActionRequest,
  PutScheduledUpdateGroupActionType,
  ScheduledUpdateGroupAction,
} from '@aws-sdk/client-auto-scaling';
import { nextCron } from '../events/cron.ts';
import { page, pageSize } from '../paging.ts';
import { AwsError } from '../service.ts';
import { autoScalingErrors } from './errors.ts';
import { changeableGroup, updateSizes } from './group-operations.ts';
import type { Group, ScheduledAction } from './model.ts';
import { scheduledActionFrom } from './scheduled-action-input.ts';
import { required } from './validation.ts';
import { type AutoScalingWorld, findGroup, isSuspended } from './world.ts';

const maximumOfBatch = 50;

export const scheduledActionOperations = (world: AutoScalingWorld) => ({
  PutScheduledUpdateGroupAction: (input: PutScheduledUpdateGroupActionType): Record<string, never> => {
    put(world, changeableGroup(world, input.AutoScalingGroupName), input);
    return {};
  },
  BatchPutScheduledUpdateGroupAction: (input: BatchPutScheduledUpdateGroupActionType) => {
    const group = changeableGroup(world, input.AutoScalingGroupName);
    const actions = required(input.ScheduledUpdateGroupActions, 'scheduledUpdateGroupActions');
    return {
      FailedScheduledUpdateGroupActions: eachOf(actions, {
        nameOf: ({ ScheduledActionName: name = '' }) => name,
        carryOut: (action) => put(world, group, action),
      }),
    };
  },
  DeleteScheduledAction: (input: DeleteScheduledActionType): Record<string, never> => {
    remove(
      findGroup(world, input.AutoScalingGroupName),
      required(input.ScheduledActionName, 'scheduledActionName'),
    );
    return {};
  },
  BatchDeleteScheduledAction: (input: BatchDeleteScheduledActionType) => {
    const group = findGroup(world, input.AutoScalingGroupName);
    const names = required(input.ScheduledActionNames, 'scheduledActionNames');
    return {
      FailedScheduledActions: eachOf(names, {
        nameOf: (name) => name,
        carryOut: (name) => remove(group, name),
      }),
    };
  },
  DescribeScheduledActions: (input: DescribeScheduledActionsType) => {
    const { items, nextToken } = page(askedFor(world, input), {
      nextToken: input.NextToken,
      size: pageSize(input.MaxRecords, { default: 50, maximum: 100 }),
      invalidToken: autoScalingErrors.invalidNextToken,
    });
    return {
      ScheduledUpdateGroupActions: items.map(([group, action]) => toScheduledAction(world, group, action)),
      NextToken: nextToken,
    };
  },
});

/** Without a group, those of all groups. Names that are unknown are left out, and make the times without effect. */
function askedFor(
  world: AutoScalingWorld,
  input: DescribeScheduledActionsType,
): (readonly [Group, ScheduledAction])[] {
  const { AutoScalingGroupName: name, ScheduledActionNames: names = [], StartTime, EndTime } = input;
  const groups = name === undefined ? [...world.groups.values()] : [findGroup(world, name)];
  const isAsked = (action: ScheduledAction): boolean =>
    names.length > 0
      ? names.includes(action.name)
      : action.nextAt >= (StartTime?.getTime() ?? -Infinity) &&
        action.nextAt <= (EndTime?.getTime() ?? Infinity);
  return groups.flatMap((group) =>
    [...group.scheduledActions.values()].filter(isAsked).map((action) => [group, action] as const),
  );
}

function put(
  world: AutoScalingWorld,
  group: Group,
  input: Omit<PutScheduledUpdateGroupActionType, 'AutoScalingGroupName'>,
): void {
  const action = scheduledActionFrom(group, input, world.clock.now());
  group.scheduledActions.get(action.name)?.timer?.cancel();
  group.scheduledActions.set(action.name, action);
  arm(world, group, action);
}

function remove(group: Group, name: string): void {
  const action = group.scheduledActions.get(name);
  if (action === undefined) throw autoScalingErrors.validation(`Scheduled action name not found - ${name}`);
  action.timer?.cancel();
  group.scheduledActions.delete(name);
}

/** Each item by itself: those that fail are named in the answer. */
function eachOf<Item>(
  items: readonly Item[],
  one: { readonly nameOf: (item: Item) => string; readonly carryOut: (item: Item) => void },
): FailedScheduledUpdateGroupActionRequest[] {
  if (items.length > maximumOfBatch) {
    throw autoScalingErrors.validation(`The number of scheduled actions must not exceed ${maximumOfBatch}`);
  }
  return items.flatMap((item) => {
    try {
      one.carryOut(item);
      return [];
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      return [{ ScheduledActionName: one.nameOf(item), ErrorCode: error.code, ErrorMessage: error.message }];
    }
  });
}

/** AWS may be two minutes late; the simulation is on time. */
function arm(world: AutoScalingWorld, group: Group, action: ScheduledAction): void {
  action.timer = world.clock.after(action.nextAt - world.clock.now(), () => {
    if (world.groups.get(group.name) !== group) return;
    if (!isSuspended(group, 'ScheduledActions') && group.deleting === 'no') run(world, group, action);
    const next = action.cron && nextCron(action.cron, action.nextAt, action.timeZone);
    // "A scheduled action does not persist in your account once it has reached its end time" (user guide, "Scheduled scaling").
    if (next === undefined || next > (action.endsAt ?? Infinity)) {
      group.scheduledActions.delete(action.name);
      return;
    }
    action.nextAt = next;
    arm(world, group, action);
  });
}

/** Sizes that do not fit those of the group change nothing: AWS documents only that the bounds must be given with them. */
function run(world: AutoScalingWorld, group: Group, { minimum, maximum, desired }: ScheduledAction): void {
  try {
    updateSizes(
      world,
      group,
      { MinSize: minimum, MaxSize: maximum, DesiredCapacity: desired },
      'a scheduled action',
    );
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
  }
}

/** StartTime is the next run (go-to-k/cdk-real-drift#847). */
function toScheduledAction(
  world: AutoScalingWorld,
  group: Group,
  action: ScheduledAction,
): ScheduledUpdateGroupAction {
  const id = group.arn.split(':')[6];
  return {
    AutoScalingGroupName: group.name,
    ScheduledActionName: action.name,
    ScheduledActionARN: `arn:aws:autoscaling:${world.region}:${world.accountId}:scheduledUpdateGroupAction:${id}:autoScalingGroupName/${group.name}:scheduledActionName/${action.name}`,
    StartTime: new Date(action.nextAt),
    Time: new Date(action.nextAt),
    EndTime: action.endsAt === undefined ? undefined : new Date(action.endsAt),
    Recurrence: action.recurrence,
    MinSize: action.minimum,
    MaxSize: action.maximum,
    DesiredCapacity: action.desired,
    TimeZone: action.hasTimeZone ? action.timeZone : undefined,
  };
}
