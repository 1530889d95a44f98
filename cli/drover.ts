#!/usr/bin/env node
import './node-20.ts';
import { thisMachine } from './context.ts';
import { runCli } from './program.ts';

/** A function, for the bundle is CommonJS and has no `await` outside of one. */
async function main(): Promise<void> {
  process.exitCode = await runCli(process.argv.slice(2), thisMachine());
}

void main();
