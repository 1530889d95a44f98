import { expect, test } from 'vitest';
import type { OneTimeSchedule } from '../../../local/story/put-schedule.ts';
import { createScheduleStory } from '../../../local/story/schedule-story.ts';
import type { View } from '../../../local/story/view.ts';
import { calmView, instance, node } from './views.ts';

const group = { name: 'workers', role: 'worker', minSize: 2, desiredCapacity: 2, maxSize: 10 };
const before: View = { ...calmView, groups: [group] };

function tell() {
  const said: string[] = [];
  const schedules: OneTimeSchedule[] = [];
  let isQuiet = false;
  const story = createScheduleStory({
    say: (text) => said.push(text),
    putSchedule: (schedule) => schedules.push(schedule),
    isQuiet: () => isQuiet,
  });
  const quieten = (): void => {
    isQuiet = true;
  };
  return { story, said, schedules, quieten };
}

test('a schedule is made once, for one worker more at a whole minute, when the story before has ended', () => {
  const { story, schedules, quieten, said } = tell();
  story.look(before);
  expect(schedules).toEqual([]);
  quieten();
  story.look(before);
  story.look(before);
  expect(schedules).toMatchObject([
    { name: 'sale', definition: { autoScalingGroupName: 'workers', nodes: 3, lead: 180 } },
  ]);
  const ahead = (schedules[0]?.at ?? 0) - before.at;
  expect(ahead).toBeGreaterThan(180_000);
  expect(ahead).toBeLessThanOrEqual(270_000);
  expect((schedules[0]?.at ?? 1) % 60_000).toBe(0);
  expect(said[1]).toMatch(
    /^ {2}npx --no -- drover schedule create workers 3 --name sale --at [-0-9T:]{19} --for 2m --lead 3m$/,
  );
});

test('the story reports the floor, the nodes that are Ready before the minute, and of MinSize as it was', () => {
  const { story, said, quieten, schedules } = tell();
  quieten();
  story.look(before);
  const at = schedules[0]?.at ?? 0;
  const raised = { ...before, at: at - 170_000, groups: [{ ...group, minSize: 3, desiredCapacity: 3 }] };
  story.look(raised);
  story.look(raised);
  expect(said[2]).toContain('MinSize is 3 ahead of');
  const met = {
    ...raised,
    at: at - 60_000,
    instances: [...before.instances, instance('i-3')],
    nodes: [...before.nodes, node('ip-3', 'i-3')],
  };
  story.look(met);
  story.look(met);
  expect(said.slice(3)).toEqual([expect.stringContaining('3 workers are Ready, 60 s before')]);
  story.look({ ...met, at: at + 120_001 });
  expect(story.hasEnded()).toBe(false);
  story.look({ ...met, at: at + 120_001, groups: [{ ...group, desiredCapacity: 3 }] });
  expect(story.hasEnded()).toBe(true);
  expect(said.at(-1)).toContain('MinSize is 2 again');
});

test('the story ends at once if there are no workers', () => {
  const { story, quieten, said } = tell();
  quieten();
  story.look({ ...before, groups: [] });
  expect([story.hasEnded(), said]).toEqual([true, []]);
});
