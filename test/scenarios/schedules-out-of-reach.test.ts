import type { CallInFlight, Weather } from '@drover/cloud-sandbox';
import { describe, expect, it } from 'vitest';
import { createDroverWorld, withWorkers } from '../../local/world/drover-world.ts';
import { boundsOf } from '../../local/world/holds.ts';
import { operatorOf } from '../cli/operator.ts';

/** A group of one node with a schedule. During those faults, an operator creates a hold of three nodes for it. */
async function heldDuring(weather: Weather, cron = '0 8 * * ? *') {
  const world = createDroverWorld({ weather });
  await withWorkers(world, { size: 1, settings: { MinSize: 1, MaxSize: 5 } });
  const drover = operatorOf(world);
  for (const words of [
    ['schedule', 'create', 'workers', '2', '--name', 'morning', '--cron', cron, '--for', '1h'],
    ['hold', 'create', 'workers', '3', '--name', 'sale', '--for', '1h'],
  ])
    expect((await drover(words)).code).toBe(0);
  await world.timeline.pass(180);
  return { bounds: boundsOf(world), lines: JSON.stringify(world.lines) };
}

const isScheduler = ({ caller, what }: CallInFlight): boolean =>
  caller === 'prewarm' && what.startsWith('scheduler');

describe('an active hold', () => {
  it('raises its floor while EventBridge Scheduler hangs', async () => {
    const { bounds, lines } = await heldDuring({
      strike: (call) => (isScheduler(call) ? { kind: 'hang-before' } : undefined),
    });
    expect(lines).toContain('schedules cannot be read: ');
    expect(bounds.minSize).toBe(3);
  });

  it('waits six seconds for schedules, and no longer', async () => {
    const { bounds, lines } = await heldDuring({
      latencyMilliseconds: (call) => (isScheduler(call) ? { afterMilliseconds: 4000 } : 0),
    });
    expect(lines).toContain('schedules cannot be read: no answer within 6 s');
    expect(bounds.minSize).toBe(3);
  });

  it('waits four seconds for the launches from which a lead is measured, and no longer', async () => {
    const isOfLaunches = ({ caller, what }: CallInFlight): boolean =>
      caller === 'prewarm' && what.endsWith('DescribeScalingActivities');
    const { bounds, lines } = await heldDuring(
      { latencyMilliseconds: (call) => (isOfLaunches(call) ? { afterMilliseconds: 4500 } : 0) },
      '45 8 * * ? *',
    );
    expect(lines).toContain('the lead of workers cannot be measured, so it is 600 s: no answer within 4 s');
    expect(bounds.minSize).toBe(3);
  });

  it('raises its floor while one schedule cannot be read', async () => {
    const { bounds, lines } = await heldDuring({
      strike: (call) =>
        isScheduler(call) && call.what.endsWith('GetSchedule') ? { kind: 'fail-before' } : undefined,
    });
    expect(lines).toContain('schedule morning makes no holds until it can be read');
    expect(bounds.minSize).toBe(3);
  });
});
