import { Argument } from 'commander';
import { exitCodesHelp } from '../exit-codes.ts';
import type { RegisterCommand } from '../register.ts';
import { type Shell, shells } from './shells.ts';

const help = `
Examples:
  drover completion bash >~/.local/share/bash-completion/completions/drover
  drover completion zsh >"\${fpath[1]}/_drover"
  drover completion fish >~/.config/fish/completions/drover.fish
  source <(drover completion bash)                 for this shell only
${exitCodesHelp()}`;

/** `drover completion SHELL`: what makes a shell complete commands, flags and their values. */
export const registerCompletion: RegisterCommand = (program, context) => {
  program
    .command('completion')
    .description('print a script that makes a shell complete drover’s commands and flags')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText('after', help)
    .action(async (shell: Shell) => {
      const { completionScript } = await import('./script.ts');
      context.stdout.write(completionScript(program, shell));
    });
};
