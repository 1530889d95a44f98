import type { Command, Option } from 'commander';

/** The value of a flag, or an argument. */
export type Value =
  | { readonly kind: 'choices'; readonly choices: readonly string[] }
  | { readonly kind: 'file' | 'folder' | 'text' };

export interface DescribedFlag {
  /** `--json`, without its dashes. */
  readonly long: string;
  /** `h` of `-h`. */
  readonly short: string | undefined;
  readonly description: string;
  /** Undefined if the flag takes no value. */
  readonly value?: Value;
}

/** A command with what can follow it on the command line. */
export interface DescribedCommand {
  /** `drover hooks install`. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly flags: readonly DescribedFlag[];
  readonly argument: Value;
}

/** The program and every command below it, as their help shows them. Pure. */
export function describeCommands(command: Command, parent = ''): readonly DescribedCommand[] {
  const path = `${parent}${command.name()}`;
  const help = command.createHelp();
  const described = {
    path,
    commands: help
      .visibleCommands(command)
      .map((one) => ({ name: one.name(), description: one.description() })),
    flags: help.visibleOptions(command).map(describeFlag),
    argument: argumentOf(command),
  };
  return [described, ...command.commands.flatMap((child) => describeCommands(child, `${path} `))];
}

function describeFlag(option: Option): DescribedFlag {
  const { description, required, optional, argChoices } = option;
  const placeholder = /<([^<>]+)>/.exec(option.flags)?.[1];
  return {
    long: option.long?.replace(/^--/, '') ?? '',
    short: option.short?.replace(/^-/, ''),
    description,
    ...((required || optional) && { value: valueOf(placeholder, argChoices) }),
  };
}

/** The last argument may be given several times, so it stands for all. */
function argumentOf({ registeredArguments }: Command): Value {
  const last = registeredArguments.at(-1);
  return valueOf(last?.name(), last?.argChoices);
}

function valueOf(name: string | undefined, choices: readonly string[] | undefined): Value {
  if (choices) return { kind: 'choices', choices };
  if (/^(?:file|paths?)$/.test(name ?? '')) return { kind: 'file' };
  return { kind: name === 'folder' ? 'folder' : 'text' };
}
