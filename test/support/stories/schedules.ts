import { formatDefinition } from '../../../shared/capacity/schedules/definition.ts';
import { scheduleGroupOf } from '../../../shared/capacity/schedules/schedule.ts';
import { clusterName, createDroverWorld, withWorkers } from '../drover-world.ts';
import { serving } from '../holds.ts';
import { complaints, endOf, type Story } from './story.ts';

/** A schedule whose time comes: its nodes are in service then, and Scheduler starts prewarm itself. */
export const schedules: Story = async (options) => {
  const world = createDroverWorld(options);
  await withWorkers(world, { size: 1 });
  const { operations } = world.account.scheduler;
  const GroupName = scheduleGroupOf(clusterName);
  const tags = world.wiring.scheduleGroups.find(({ name }) => name === GroupName)?.tags ?? {};
  const at = new Date(world.clock.now() + 600_000).toISOString().slice(0, 19);
  const definition = {
    autoScalingGroupName: 'workers',
    nodes: 3,
    durationSeconds: 1200,
    lead: 480,
    exceptions: [],
    raiseMaxSize: false,
  };
  operations.CreateSchedule({
    GroupName,
    Name: 'once',
    ScheduleExpression: `at(${at})`,
    FlexibleTimeWindow: { Mode: 'OFF' },
    Target: {
      Arn: tags['drover.dev/schedule-function'],
      RoleArn: tags['drover.dev/schedule-role'],
      Input: formatDefinition(definition),
    },
  });
  const late = await endOf(() =>
    world.timeline.until(() => complaints(world).length > 0 || serving(world) === 3, {
      withinSeconds: 600,
      what: 'the nodes of the schedule',
    }),
  );
  await world.timeline.pass(600);
  return [...complaints(world), ...late];
};
