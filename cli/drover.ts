#!/usr/bin/env node
import './node-20.ts';
import { endAtBrokenOutput } from './broken-output.ts';
import { thisMachine } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { createInterrupts } from './interrupts.ts';
import { runCli } from './program.ts';

/** A function, for the bundle is CommonJS and has no `await` outside of one. */
async function main(): Promise<void> {
  const interrupts = createInterrupts();
  const brokenOutput = endAtBrokenOutput(interrupts);
  const result = await runCli(process.argv.slice(2), thisMachine(interrupts));
  const exitCode = brokenOutput() ?? result;
  // A read that was given up would keep the process for as long as its connection hangs.
  if (result === exitCodes.interrupted) process.exit(exitCode);
  process.exitCode = exitCode;
}

void main();
