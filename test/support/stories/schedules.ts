import { clusterName, createDroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { serving } from '../../../local/world/holds.ts';
import { callScaleApi } from '../../../local/world/scale-api-call.ts';
import { formatDefinition, scheduleGroupOf } from '../../../shared/capacity/schedules/schedule.ts';
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

/** A schedule is made, read, paused and deleted through the scale API. */
export const schedulesOverHttp: Story = async (options) => {
  const world = createDroverWorld(options);
  await withWorkers(world, { size: 1 });
  const wish = {
    autoScalingGroupName: 'workers',
    nodes: 2,
    expression: 'cron(0 12 * * ? *)',
    durationSeconds: 1200,
  };
  const requests = [
    ['PUT', '/schedules/noon', wish, 201],
    ['GET', '/schedules', undefined, 200],
    ['PATCH', '/schedules/noon', { paused: true }, 200],
    ['DELETE', '/schedules/noon', undefined, 204],
  ] as const;
  const wrong: string[] = [];
  for (const [method, target, body, expected] of requests) {
    const { statusCode } = await callScaleApi(world, method, target, body);
    if (statusCode !== expected) wrong.push(`${method} ${target} was answered with ${statusCode}`);
  }
  return [...wrong, ...complaints(world)];
};
