import { beforeEach, describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  terminate,
  withWorkers,
} from '../../../local/world/drover-world.ts';
import { eventsOf, filterEvents, noFilter } from '../../../ui/state/events.ts';
import type { DashboardState } from '../../../ui/state/types.ts';
import { untilGone } from '../../support/observed-instance.ts';
import { startUi } from './start-ui.ts';

let world: DroverWorld;
let ids: readonly string[];
beforeEach(async () => {
  world = createDroverWorld();
  ids = await withWorkers(world, { size: 2 });
});
const gone = async (): Promise<string> => {
  const instanceId = ids[0] ?? '';
  terminate(world, instanceId);
  await untilGone(world, instanceId);
  return instanceId;
};
const reasonsOf = ({ passes = [] }: DashboardState): readonly string[] =>
  passes.map(({ outcome, reason }) => `${outcome}: ${reason}`);

describe('the passes on the page of an account', () => {
  it('are those of the last hour, the newest first, each once', async () => {
    const instanceId = await gone();
    const ui = await startUi(world);
    const first = await ui.state();
    const own = first.passes?.filter(({ subject }) => subject === instanceId) ?? [];
    expect(own.map(({ work }) => work)).toContain('node-leaving');
    expect(own[0]?.at).toBeGreaterThanOrEqual(own.at(-1)?.at ?? 0);
    await world.timeline.pass(40);
    const [another = ''] = ids.slice(1);
    terminate(world, another);
    await world.timeline.pass(40);
    const later = await ui.state();
    const numbers = later.passes?.map(({ number }) => number) ?? [];
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(reasonsOf(later)).toEqual(expect.arrayContaining([...reasonsOf(first)]));
    expect(later.passes?.some(({ subject }) => subject === another)).toBe(true);
    const found = filterEvents(eventsOf(later), { ...noFilter, of: another }, later.groups);
    expect(found.length).toBeGreaterThan(0);
  });

  it('end after an hour', async () => {
    const instanceId = await gone();
    const ui = await startUi(world);
    await world.timeline.pass(4000);
    const { passes = [], now } = await ui.state();
    expect(passes.filter(({ subject }) => subject === instanceId)).toEqual([]);
    expect(Math.min(...passes.map(({ at }) => at), now)).toBeGreaterThanOrEqual(now - 3_600_000);
  });

  it('are named as unread with the missing permission, and the rest is shown', async () => {
    const ui = await startUi(world, 'ui', {
      actions: ['autoscaling', 'cloudwatch', 'ec2', 'sqs', 'ssm', 'scheduler', 'sts'].map(
        (name) => `${name}:*`,
      ),
    });
    const { passes, unknown, groups, stage } = await ui.state();
    expect(passes).toBeUndefined();
    expect(unknown.map(({ what }) => what)).toEqual(['the passes']);
    expect(unknown[0]?.reason).toContain('logs:FilterLogEvents');
    expect(groups).toHaveLength(1);
    expect(stage).toBe('dev');
  });

  it('come with the queues, the launch of each instance and the stage that names the logs', async () => {
    const { queues = [], groups, stage } = await (await startUi(world)).state();
    expect(queues.filter(({ deadLetters }) => deadLetters).length).toBeGreaterThan(3);
    expect(queues.map(({ queueName }) => queueName).join()).toContain('LeavingQueue');
    expect(stage).toBe('dev');
    const launched = groups.flatMap(({ instances }) => instances.map(({ launchedAt }) => launchedAt));
    expect(launched).toHaveLength(2);
    for (const at of launched) expect(at).toBeLessThanOrEqual(world.clock.now());
  });
});
