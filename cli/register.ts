import type { Command } from 'commander';
import type { CliContext } from './context.ts';

/** Adds one command to the program; program.ts has the list. */
export type RegisterCommand = (program: Command, context: CliContext) => void;
