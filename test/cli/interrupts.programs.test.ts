import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';

const from = (path: string): string => JSON.stringify(resolve(path));

/** A command that makes ten changes, one every 100 ms, each of which takes two steps that belong together, and prints after the first step. */
const program = `
import { setTimeout as pause } from 'node:timers/promises';
import { endAtBrokenOutput } from ${from('cli/broken-output.ts')};
import { contextOn, thisMachine } from ${from('cli/context.ts')};
import { endIfInterrupted, interruptible } from ${from('cli/interruption.ts')};
import { createInterrupts } from ${from('cli/interrupts.ts')};
const interrupts = createInterrupts();
const brokenOutput = endAtBrokenOutput(interrupts);
const context = contextOn(thisMachine(interrupts));
const state = { begun: 0, done: 0 };
let exitCode = 0;
try {
  await interruptible(context, async (interruptibleContext) => {
    while (state.done < 10) {
      endIfInterrupted(interruptibleContext, state.done + ' changes were made');
      state.begun += 1;
      context.stdout.write('change ' + state.begun + '\\n');
      await pause(100);
      state.done += 1;
    }
  });
} catch (error) {
  context.stderr.write(error.message + '\\n');
  exitCode = error.exitCode;
}
context.stderr.write(JSON.stringify(state) + '\\n');
process.exit(brokenOutput() ?? exitCode);
`;

type Child = ChildProcessByStdio<null, Readable, Readable>;

async function started(): Promise<Child> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

async function endOf(child: Child) {
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  const state = JSON.parse(errors.trim().split('\n').at(-1) ?? '') as { begun: number; done: number };
  return { errors, state, code };
}

describe('a command that is between two steps that belong together', { timeout: 60_000 }, () => {
  it('ends at its next safe point and says what was done if the reader of its output closes the pipe', async () => {
    const child = await started();
    child.stdout.destroy();
    const { errors, state, code } = await endOf(child);
    expect(code).toBe(141);
    expect(state.begun).toBe(state.done);
    expect(state.done).toBeLessThan(10);
    expect(errors).toContain(`interrupted: ${state.done} changes were made`);
  });

  it('ends at its next safe point if its terminal is closed', async () => {
    const child = await started();
    child.kill('SIGHUP');
    const { state, code } = await endOf(child);
    expect(code).toBe(130);
    expect(state.begun).toBe(state.done);
    expect(state.done).toBeLessThan(10);
  });
});
