import { clusterName, type DroverWorld } from '../../../local/world/drover-world.ts';
import { boundsOf, parametersOf, paths } from '../../../local/world/holds.ts';
import {
  createHold,
  endHold,
  extendHold,
  type HoldStore,
} from '../../../shared/capacity/holds/change-holds.ts';
import { floorParameterOf } from '../../../shared/capacity/holds/parameters.ts';
import { formatDefinition, scheduleGroupOf } from '../../../shared/capacity/schedules/schedule.ts';
import type { Scene } from './live-history.ts';
import type { Step } from './plan/history.ts';

type Of<Kind extends Step['kind']> = Extract<Step, { readonly kind: Kind }>;

export const storeOf = (world: DroverWorld): HoldStore => ({
  parameters: parametersOf(world),
  paths,
  now: world.clock.now(),
});

export async function makeHold({ world, capacity }: Scene, step: Of<'hold'>): Promise<void> {
  const { autoScalingGroupName, name, nodes, raiseMaxSize, standsSeconds } = step;
  const from = world.clock.now();
  const hold = { autoScalingGroupName, name, nodes, raiseMaxSize, until: from + standsSeconds * 1000 };
  await createHold(storeOf(world), { hold: { ...hold, createdAt: from } });
  capacity.booked({ ...hold, from });
}

/** A schedule whose only time is in three minutes, with a lead of two. */
export function makeSchedule({ world, capacity }: Scene, step: Of<'schedule'>): void {
  const { autoScalingGroupName, name, nodes, standsSeconds } = step;
  const from = Math.ceil((world.clock.now() + 180_000) / 1000) * 1000;
  const GroupName = scheduleGroupOf(clusterName);
  const tags = world.wiring.scheduleGroups.find((group) => group.name === GroupName)?.tags ?? {};
  world.account.scheduler.operations.CreateSchedule({
    GroupName,
    Name: name,
    ScheduleExpression: `at(${new Date(from).toISOString().slice(0, 19)})`,
    FlexibleTimeWindow: { Mode: 'OFF' },
    Target: {
      Arn: tags['drover.dev/schedule-function'],
      RoleArn: tags['drover.dev/schedule-role'],
      Input: formatDefinition({
        autoScalingGroupName,
        nodes,
        durationSeconds: standsSeconds,
        lead: 120,
        exceptions: [],
        raiseMaxSize: false,
      }),
    },
  });
  const until = from + standsSeconds * 1000;
  capacity.booked({ autoScalingGroupName, name, nodes, raiseMaxSize: false, from, until });
}

export async function prolongHold({ world, capacity }: Scene, step: Of<'extend-hold'>): Promise<void> {
  const known = capacity.find(step.autoScalingGroupName, step.name);
  if (!known) return;
  const until = known.until + step.bySeconds * 1000;
  const change = await extendHold(storeOf(world), known, until);
  if (change.kind === 'extended') capacity.booked({ ...known, until });
}

export async function finishHold({ world, capacity }: Scene, step: Of<'end-hold'>): Promise<void> {
  const known = capacity.find(step.autoScalingGroupName, step.name);
  if (!known) return;
  const change = await endHold(storeOf(world), known);
  if (change.kind === 'ended') capacity.booked({ ...known, until: world.clock.now() });
}

export function autoscale({ world }: Scene, { autoScalingGroupName }: Step): void {
  const { minSize } = boundsOf(world, autoScalingGroupName);
  world.account.autoScaling.operations.SetDesiredCapacity({
    AutoScalingGroupName: autoScalingGroupName,
    DesiredCapacity: minSize,
  });
}

export function setBounds({ world, capacity }: Scene, step: Of<'set-bounds'>): void {
  const { autoScalingGroupName, minSize, desiredCapacity } = step;
  capacity.basesOf(autoScalingGroupName);
  world.account.autoScaling.operations.UpdateAutoScalingGroup({
    AutoScalingGroupName: autoScalingGroupName,
    MinSize: minSize,
    ...(desiredCapacity !== undefined && { DesiredCapacity: desiredCapacity }),
  });
  capacity.setByOthers(autoScalingGroupName, { minSize });
}

/** Something tidies Parameter Store, and Drover no longer knows what MinSize was without holds. */
export function loseRecord({ world, capacity }: Scene, { autoScalingGroupName }: Step): void {
  const Name = floorParameterOf(paths, autoScalingGroupName);
  if (world.account.ssm.controls.value(Name) === undefined) return;
  world.account.ssm.operations.DeleteParameter({ Name });
  capacity.recordLost(autoScalingGroupName);
}
