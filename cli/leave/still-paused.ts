import { CliError } from '../exit-codes.ts';
import type { CarryOutInput } from './carry-out.ts';

/**
 * Runs steps of groups, and adds to a failure which groups stay paused: until the command goes on, or drover resume ends the pause, no node of
 * theirs is drained.
 */
export async function namingPaused(
  input: CarryOutInput,
  run: (input: CarryOutInput) => Promise<void>,
): Promise<void> {
  const paused = new Set<string>();
  try {
    await run({
      ...input,
      onStep: (group, step) => {
        if (step.kind === 'pause' || step.kind === 'only-pause') paused.add(group);
        if (step.kind === 'tags') paused.delete(group);
        input.onStep(group, step);
      },
    });
  } catch (error) {
    if (!(error instanceof CliError) || paused.size === 0) throw error;
    const names = [...paused].join(', ');
    throw new CliError(
      `${error.message}. Until then ${names} ${paused.size === 1 ? 'stays' : 'stay'} paused, and Drover drains no node there: drover resume ends that`,
      error.exitCode,
      error.cause,
    );
  }
}
