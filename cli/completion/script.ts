import type { Command } from 'commander';
import { bashScript } from './bash.ts';
import { describeCommands } from './describe-commands.ts';
import { fishScript } from './fish.ts';
import type { Shell } from './shells.ts';
import { zshScript } from './zsh.ts';

const writers = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** The script for a shell, from nothing but the program's own commands, flags and choices. Pure. */
export const completionScript = (program: Command, shell: Shell): string =>
  writers[shell](describeCommands(program));
