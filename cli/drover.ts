#!/usr/bin/env node
import './node-20.ts';
import { endAtBrokenOutput } from './broken-output.ts';
import { thisMachine } from './context.ts';
import { runCli } from './program.ts';

/** A function, for the bundle is CommonJS and has no `await` outside of one. */
async function main(): Promise<void> {
  endAtBrokenOutput();
  process.exitCode = await runCli(process.argv.slice(2), thisMachine());
}

void main();
