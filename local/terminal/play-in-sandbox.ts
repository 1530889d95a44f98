import { thisMachine } from '../../cli/context.ts';
import type { TerminalEnvironment } from '../../cli/env/environment-file.ts';
import { droverOn } from '../story/seeds/drover-command.ts';
import { pause, play } from '../story/seeds/play.ts';
import { simulatedStage } from '../story/seeds/stage.ts';
import type { SeedStory } from '../story/seeds/step.ts';
import { isSteady } from '../story/seeds/workers.ts';
import { viewOf } from '../story/view.ts';
import type { Sandbox } from '../wire/sandbox.ts';

interface PlayInSandboxParts {
  readonly sandbox: Pick<Sandbox, 'cloud' | 'clock'>;
  /** What `drover env` prints. */
  readonly environment: TerminalEnvironment;
  readonly say: (text: string) => void;
}

/**
 * Plays the story of a document over the wire, with `drover` as a reader has it in another terminal. It begins when the nodes are Ready.
 *
 * @returns false if the story has failed
 */
export async function playInSandbox(
  story: SeedStory,
  { sandbox: { cloud, clock }, environment, say }: PlayInSandboxParts,
): Promise<boolean> {
  const machine = {
    ...thisMachine(),
    environment,
    clock,
    pause: (milliseconds: number) => pause(clock, milliseconds / 1000),
  };
  while (!isSteady(viewOf(cloud))) await pause(clock, 1);
  return await play(story, { stage: simulatedStage(cloud), clock, say, drover: droverOn(machine) });
}
