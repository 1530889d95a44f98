import { clusterName, createDroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { scheduleGroupOf } from '../../../shared/capacity/schedules/schedule.ts';
import { type OperatorOptions, operatorOf } from '../operator.ts';

export const groupName = scheduleGroupOf(clusterName);

/** A world with the group `workers` of 2 of 1 to 10 nodes, and an operator. It begins on 5 January 2026 at 8:00 UTC. */
export async function createScheduleWorld(options: OperatorOptions = {}) {
  const world = createDroverWorld();
  const { operations } = world.account.scheduler;
  await withWorkers(world, { size: 2 });
  return { world, operations, drover: operatorOf(world, options) };
}

/** The arguments of a command that creates a schedule for working days in Berlin. */
const berlinMornings =
  'schedule create workers 5 --name office-hours --time-zone Europe/Berlin --for 10h --lead 10m'.split(' ');

export const officeHours = (...more: readonly string[]): readonly string[] => [
  ...berlinMornings,
  '--cron',
  '0 8 ? * MON-FRI *',
  ...more,
];
