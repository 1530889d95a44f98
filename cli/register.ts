import type { Command } from 'commander';
import type { CliContext } from './context.ts';

/** Adds one command to the program; the list of them stands in program.ts. */
export type RegisterCommand = (program: Command, context: CliContext) => void;
