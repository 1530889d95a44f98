import { clusterName, type DroverWorld } from '../../../local/world/drover-world.ts';
import { parametersOf, paths } from '../../../local/world/holds.ts';
import { createHold, endHold, extendHold } from '../../../shared/capacity/holds/change-holds.ts';
import { floorParameterOf, holdParameterOf } from '../../../shared/capacity/holds/parameters.ts';
import { formatDefinition, scheduleGroupOf } from '../../../shared/capacity/schedules/schedule.ts';
import { storeOf } from '../lifetimes/hold-deeds.ts';
import type { Dice } from '../lifetimes/plan/dice.ts';
import type { CapacityBook } from '../lifetimes/watch/capacity-book.ts';
import type { PlannedHold, PlannedSchedule } from './plan.ts';

/** The means by which users and other tools change things. */
export interface Hands {
  readonly world: DroverWorld;
  readonly book: CapacityBook;
  readonly dice: Dice;
}

const minute = 60_000;

export async function make({ world, book }: Hands, planned: PlannedHold): Promise<void> {
  const now = world.clock.now();
  const { group: autoScalingGroupName, name, nodes, raiseMaxSize, from, to } = planned;
  const hold = { autoScalingGroupName, name, nodes, raiseMaxSize, until: now + (to - from) * minute };
  const { kind } = await createHold(storeOf(world), { hold: { ...hold, createdAt: now } });
  if (kind === 'created') book.booked({ ...hold, from: now });
}

export async function extend({ world, book }: Hands, { group, name }: PlannedHold): Promise<void> {
  const known = book.find(group, name);
  if (!known) return;
  const until = known.until + 45 * minute;
  const { kind } = await extendHold(storeOf(world), known, until);
  if (kind === 'extended') book.booked({ ...known, until });
}

export async function end({ world, book }: Hands, { group, name }: PlannedHold): Promise<void> {
  const known = book.find(group, name);
  if (!known || known.until <= world.clock.now()) return;
  await endHold(storeOf(world), known);
  book.booked({ ...known, until: world.clock.now() });
}

export function schedule({ world }: Hands, planned: PlannedSchedule): void {
  const { group: autoScalingGroupName, name: Name, nodes, durationMinutes, leadMinutes } = planned;
  const GroupName = scheduleGroupOf(clusterName);
  const tags = world.wiring.scheduleGroups.find(({ name }) => name === GroupName)?.tags ?? {};
  world.account.scheduler.operations.CreateSchedule({
    GroupName,
    Name,
    ScheduleExpression: `cron(${planned.minute} ${planned.hour} * * ? *)`,
    FlexibleTimeWindow: { Mode: 'OFF' },
    Target: {
      Arn: tags['drover.dev/schedule-function'],
      RoleArn: tags['drover.dev/schedule-role'],
      Input: formatDefinition({
        autoScalingGroupName,
        nodes,
        durationSeconds: durationMinutes * 60,
        lead: leadMinutes * 60,
        exceptions: [],
        raiseMaxSize: false,
      }),
    },
  });
}

export function unschedule({ world }: Hands, { name: Name }: PlannedSchedule): void {
  world.account.scheduler.operations.DeleteSchedule({ GroupName: scheduleGroupOf(clusterName), Name });
}

/** Users rely on a schedule from each of its times. */
export function occur({ book }: Hands, planned: PlannedSchedule, from: number): void {
  const { group: autoScalingGroupName, name, nodes, durationMinutes } = planned;
  const until = from + durationMinutes * minute;
  book.booked({ autoScalingGroupName, name: `${name}.${from}`, nodes, raiseMaxSize: false, from, until });
}

/** cluster-autoscaler, which respects the bounds of the group. */
export function autoscale({ world, book, dice }: Hands, AutoScalingGroupName: string): void {
  const { minSize, maxSize } = book.boundsOf(AutoScalingGroupName);
  const DesiredCapacity = minSize + dice.integer(0, Math.max(0, maxSize - minSize));
  world.account.autoScaling.operations.SetDesiredCapacity({ AutoScalingGroupName, DesiredCapacity });
}

/** cluster-autoscaler on a quiet cluster. */
export function giveBackSpare({ world, book }: Hands, AutoScalingGroupName: string): void {
  const DesiredCapacity = book.boundsOf(AutoScalingGroupName).minSize;
  world.account.autoScaling.operations.SetDesiredCapacity({ AutoScalingGroupName, DesiredCapacity });
}

/** An operator sets another MinSize. It is odd and below MaxSize, which may be the floor of holds that ask for more. */
export function setBase({ world, book, dice }: Hands, AutoScalingGroupName: string): void {
  const { maxSize } = book.baseOf(AutoScalingGroupName);
  const MinSize = dice.pick([1, 3, 5].filter((size) => size < maxSize));
  book.setByOthers(AutoScalingGroupName, { minSize: MinSize });
  world.account.autoScaling.operations.UpdateAutoScalingGroup({ AutoScalingGroupName, MinSize });
}

/** An operator lowers MaxSize below floors, and must lower MinSize too. Auto Scaling then terminates nodes. */
export function lowerMaxSize({ world, book }: Hands, AutoScalingGroupName: string, MaxSize: number): void {
  const MinSize = 1;
  book.setByOthers(AutoScalingGroupName, { minSize: MinSize, maxSize: MaxSize });
  world.account.autoScaling.operations.UpdateAutoScalingGroup({ AutoScalingGroupName, MinSize, MaxSize });
}

/** An operator raises MaxSize again, or lowers a MaxSize that a hold has raised; never below MinSize, which Auto Scaling refuses. */
export function raiseMaxSize({ world, book }: Hands, AutoScalingGroupName: string, MaxSize: number): void {
  if (MaxSize < book.boundsOf(AutoScalingGroupName).minSize) return;
  book.setByOthers(AutoScalingGroupName, {
    minSize: book.baseOf(AutoScalingGroupName).minSize,
    maxSize: MaxSize,
  });
  world.account.autoScaling.operations.UpdateAutoScalingGroup({ AutoScalingGroupName, MaxSize });
}

/** The type of the instances of all groups here. */
export const instanceType = 'm5.large';

/** Whether EC2 has instances of this type, in every zone. */
export const setCapacity = ({ world }: Hands, available: boolean): void => {
  for (const { availabilityZone } of world.account.ec2.instances.subnets())
    world.account.ec2.accidents.setCapacity({ instanceType, availabilityZone, available });
};

/** Terraform without `ignore_changes`: it sets all three sizes, which terminates nodes. */
export function applyInfrastructureAsCode({ world, book }: Hands, AutoScalingGroupName: string): void {
  const { minSize, maxSize } = book.baseOf(AutoScalingGroupName);
  book.setByOthers(AutoScalingGroupName, { minSize, maxSize });
  const DesiredCapacity = Math.max(minSize, Math.min(maxSize, 5));
  world.account.autoScaling.operations.UpdateAutoScalingGroup({
    AutoScalingGroupName,
    MinSize: minSize,
    MaxSize: maxSize,
    DesiredCapacity,
  });
}

export const loseRecord = async ({ world }: Hands, group: string): Promise<void> =>
  await parametersOf(world).remove(floorParameterOf(paths, group));

const damaged = (autoScalingGroupName: string): string =>
  holdParameterOf(paths, { autoScalingGroupName, name: 'damaged' });

export const writeUnreadable = async ({ world }: Hands, group: string): Promise<void> =>
  await parametersOf(world).write(damaged(group), 'six nodes, please');

export const deleteUnreadable = async ({ world }: Hands, group: string): Promise<void> =>
  await parametersOf(world).remove(damaged(group));
