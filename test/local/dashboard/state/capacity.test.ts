import { beforeEach, describe, expect, it } from 'vitest';
import { dashboardState } from '../../../../local/dashboard/state/dashboard-state.ts';
import { putSchedule } from '../../../../local/story/put-schedule.ts';
import {
  clusterName,
  createDroverWorld,
  type DroverWorld,
  withWorkers,
} from '../../../../local/world/drover-world.ts';
import { formatHold, type Hold } from '../../../../shared/capacity/holds/hold.ts';
import { holdParameterOf, holdPathsOf } from '../../../../shared/capacity/holds/parameters.ts';
import { type Definition, scheduleGroupOf } from '../../../../shared/capacity/schedules/schedule.ts';
import type { CapacityView } from '../../../../ui/state/types.ts';

let world: DroverWorld;
beforeEach(async () => {
  world = createDroverWorld();
  await withWorkers(world, { size: 1 });
});

const shown = () => dashboardState(world, { now: world.clock.now(), passes: [], news: [] });
const capacityOf = (): CapacityView => {
  const [{ capacity } = {}] = shown().groups;
  if (!capacity) throw new Error('the group has no capacity');
  return capacity;
};

function hold(parts: Partial<Hold> = {}): void {
  const now = world.clock.now();
  const made: Hold = {
    autoScalingGroupName: 'workers',
    name: 'launch-day',
    nodes: 3,
    until: now + 1_800_000,
    raiseMaxSize: false,
    createdAt: now,
    by: 'anna',
    ...parts,
  };
  const { account } = world;
  account.ssm.operations.PutParameter(
    { Name: holdParameterOf(holdPathsOf(clusterName), made), Value: formatHold(made), Type: 'String' },
    { principal: account.operator, requestId: 'test' },
  );
}

const definition = (parts: Partial<Definition> = {}): Definition => ({
  autoScalingGroupName: 'workers',
  nodes: 2,
  durationSeconds: 600,
  lead: 180,
  exceptions: [],
  raiseMaxSize: false,
  ...parts,
});

const atOClock = (): number => Math.ceil((world.clock.now() + 1_200_000) / 60_000) * 60_000;

describe('the capacity of a group on the page', () => {
  it('is its base if there are no holds', () => {
    expect(capacityOf()).toEqual({ base: 0, floor: 0, ready: 1, holds: [], schedules: [], problems: [] });
  });

  it('has a hold that waits for nodes, which is met once they are Ready; the base stays', async () => {
    hold();
    expect(capacityOf()).toMatchObject({
      floor: 3,
      holds: [
        { name: 'launch-day', nodes: 3, by: 'anna', state: 'waiting', reason: '1 of 3 nodes are Ready' },
      ],
    });
    await world.timeline.pass(400);
    expect(capacityOf()).toMatchObject({ base: 0, floor: 3, ready: 3, holds: [{ state: 'met' }] });
    expect(shown().groups[0]?.minSize).toBe(3);
  });

  it('ends a hold at the time when an operator ended it, although its parameter stays', () => {
    const now = world.clock.now();
    hold({ endedAt: now - 60_000 });
    expect(capacityOf()).toMatchObject({ floor: 0, holds: [{ until: now - 60_000, state: 'over' }] });
  });

  it('says why a hold is short', async () => {
    hold({ nodes: 12 });
    await world.timeline.pass(300);
    const { holds, problems } = capacityOf();
    expect(holds[0]?.reason).toContain('MaxSize is 10');
    expect(problems).toContainEqual(
      expect.stringContaining('hold launch-day asks for 12 nodes, and MaxSize is 10'),
    );
  });

  it('has the next occurrence of a schedule, with the minute at which its hold will be made', () => {
    const at = atOClock();
    putSchedule(world, { name: 'sale', at, definition: definition() });
    expect(capacityOf().schedules).toMatchObject([
      {
        name: 'sale',
        nodes: 2,
        paused: false,
        leadSeconds: 180,
        measured: false,
        occurrences: [{ kind: 'hold', madeAt: at - 180_000, readyAt: at, until: at + 600_000 }],
      },
    ]);
  });

  it('has the hold that the schedule has made, by the name of the schedule', async () => {
    const at = atOClock();
    putSchedule(world, { name: 'sale', at, definition: definition() });
    await world.timeline.pass((at - world.clock.now()) / 1000 - 60);
    expect(capacityOf()).toMatchObject({ floor: 2, holds: [{ by: 'schedule sale', until: at + 600_000 }] });
  });

  it('measures the lead from launches of the group if the schedule sets none', () => {
    putSchedule(world, { name: 'sale', at: atOClock(), definition: definition({ lead: 'measured' }) });
    const [schedule] = capacityOf().schedules;
    expect(schedule?.measured).toBe(true);
    // The shortest lead: the launches of this world take a minute.
    expect(schedule?.leadSeconds).toBeGreaterThanOrEqual(120);
    expect(schedule?.leadSeconds).toBeLessThan(300);
  });

  it('shows a paused schedule as paused', () => {
    putSchedule(world, { name: 'sale', at: atOClock(), definition: definition() });
    const { operations } = world.account.scheduler;
    const GroupName = scheduleGroupOf(clusterName);
    const { ScheduleExpression, FlexibleTimeWindow, Target } = operations.GetSchedule({
      GroupName,
      Name: 'sale',
    });
    operations.UpdateSchedule({
      GroupName,
      Name: 'sale',
      ScheduleExpression,
      FlexibleTimeWindow,
      Target,
      State: 'DISABLED',
    });
    expect(capacityOf().schedules).toMatchObject([{ paused: true }]);
  });

  it('names a schedule whose group Drover does not manage', () => {
    putSchedule(world, {
      name: 'sale',
      at: atOClock(),
      definition: definition({ autoScalingGroupName: 'other' }),
    });
    expect(shown().scheduleProblems).toEqual(['schedule sale: there is no managed group other']);
    expect(capacityOf().schedules).toEqual([]);
  });
});
