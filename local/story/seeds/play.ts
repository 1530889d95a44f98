import type { TimerClock } from '../../../shared/base/clock.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import type { StoryParts } from '../story.ts';
import type { DroverRun } from './drover-command.ts';
import type { Stage } from './stage.ts';
import type { SeedStory, Seen, Step } from './step.ts';

export interface PlayParts extends Pick<StoryParts, 'say'> {
  readonly stage: Stage;
  readonly clock: TimerClock;
  /** Runs a command line of `drover`. */
  readonly drover: (line: string) => Promise<DroverRun>;
}

/** The time between two checks, and the time to read a step. */
const lookSeconds = 1;
const readSeconds = 3;

/**
 * Plays a story step by step. Each step says what it saw.
 *
 * @returns false if a command failed, or if something did not come within its time: the story has said which and ends there.
 */
export async function play({ title, steps }: SeedStory, parts: PlayParts): Promise<boolean> {
  const { say, clock } = parts;
  say(`${title}, in ${steps.length} steps: what its author did by hand, and the same with Drover.`);
  for (const [place, step] of steps.entries()) {
    const number = `Step ${place + 1} of ${steps.length}`;
    say(`${number}. By hand: ${step.author}`);
    say(`With Drover: ${step.drover}`);
    const failure = await takeStep(step, parts).catch((error: unknown) => messageOf(error));
    if (failure !== undefined) {
      say(`${number} failed: ${failure}. The story ends here.`);
      return false;
    }
    await pause(clock, readSeconds);
  }
  say('The story has ended: each step came as the story said.');
  return true;
}

/** Gives why it failed. */
async function takeStep(step: Step, { say, stage, clock, drover }: PlayParts): Promise<string | undefined> {
  const before = await stage.look();
  const { hand } = step;
  if (hand) {
    say(`  ${hand.types(before)}`);
    await hand.does(stage, before);
  }
  const line = step.command?.(before);
  let printed = '';
  if (line !== undefined) {
    say(`  npx --no -- drover ${line}`);
    const { exitCode, stdout, stderr } = await drover(line);
    if (exitCode !== 0) return `drover ended with ${exitCode}: ${stderr.trim()}`;
    printed = stdout + stderr;
  }
  const look = async (): Promise<Seen> => {
    const view = await stage.look();
    return { cloud: stage.cloud, before, view, printed, seconds: Math.round((view.at - before.at) / 1000) };
  };
  const end = clock.now() + step.withinSeconds * 1000;
  for (;;) {
    const seen = await step.see(await look());
    if (seen !== undefined) {
      say(`Seen: ${seen}`);
      return undefined;
    }
    if (clock.now() >= end) return `nothing of it was seen within ${step.withinSeconds} s`;
    await pause(clock, lookSeconds);
  }
}

export const pause = (clock: Pick<TimerClock, 'after'>, seconds: number): Promise<void> =>
  new Promise((resolve) => {
    clock.after(seconds * 1000, resolve);
  });
