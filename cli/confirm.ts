import type { CliContext } from './context.ts';

export interface ConfirmFlags {
  /** Only say what would be done. */
  readonly plan?: true;
  /** Do it without a question. */
  readonly yes?: true;
  readonly json?: true;
}

/**
 * Whether the operator wants what the plan says: `--yes`, or the word `yes` at a terminal. Without a terminal nothing is done, and
 * the last line names the flag. The question goes to standard error, so that standard output has only the plan.
 */
export async function confirmed(
  question: string,
  { plan, yes, json }: ConfirmFlags,
  { stdout, stderr, inputLines }: Pick<CliContext, 'stdout' | 'stderr' | 'inputLines'>,
): Promise<boolean> {
  if (plan) return false;
  if (yes) return true;
  if (json || !stdout.isTerminal || !inputLines) {
    stderr.write('nothing was changed: give --yes to do it\n');
    return false;
  }
  stderr.write(`${question} Type yes to go on: `);
  const answer = await firstLine(inputLines());
  if (answer?.trim().toLowerCase() === 'yes') return true;
  stderr.write('nothing was changed\n');
  return false;
}

/** Undefined at the end of the input. */
async function firstLine(lines: AsyncIterable<string>): Promise<string | undefined> {
  for await (const line of lines) return line;
  return undefined;
}
