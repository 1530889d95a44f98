import type { Command, Option } from 'commander';
import { contextOn, thisMachine } from '../../cli/context.ts';
import { createProgram } from '../../cli/program.ts';

/** A flag as the reference shows it. */
export interface Flag {
  /** `--output`. */
  readonly long: string;
  /** `-o`, `--output FORMAT`, each as code. */
  readonly spelled: string;
  /** The description of the help. */
  readonly help: string;
}

export interface DocumentedCommand {
  /** `drover hold create`. */
  readonly path: string;
  /** `drover hold create GROUP NODES`. */
  readonly heading: string;
  readonly flags: readonly Flag[];
}

/** All commands of the CLI, with those that have subcommands. */
export const documentedCommands = (): readonly DocumentedCommand[] =>
  createProgram(contextOn(thisMachine())).commands.flatMap((command) => withChildren(command, 'drover'));

const withChildren = (command: Command, parent: string): readonly DocumentedCommand[] => {
  const path = `${parent} ${command.name()}`;
  const positionals = placeholder(command.usage().replaceAll(/\[(?:options|command)\]| --.*/g, ''));
  return [
    {
      path,
      heading: `${path} ${positionals}`.replaceAll(/\s+/g, ' ').trim(),
      flags: command.options.filter(({ hidden }) => !hidden).map(flagOf),
    },
    ...command.commands.flatMap((child) => withChildren(child, path)),
  ];
};

/** `<node...>` -> `NODE...`, and `[format]` -> `[FORMAT]`. */
const placeholder = (text: string): string => text.replaceAll(/<([^>]+)>/g, '$1').toUpperCase();

function flagOf({ flags, long, description }: Option): Flag {
  const spelled = flags.split(', ').map((flag) => {
    const [name = '', ...values] = flag.split(' ');
    return `\`${[name, ...values.map(placeholder)].join(' ')}\``;
  });
  return { long: long ?? flags, spelled: spelled.join(', '), help: description };
}
