import type { Command } from 'commander';

/**
 * Lists without a subcommand, as `drover hooks` does: `drover hold` is `drover hold list`. Any other word remains the subcommand that it
 * names, or an unknown one.
 */
export function listByDefault(args: readonly string[], program: Command): string[] {
  const [name, next, ...rest] = args;
  const command = program.commands.find((one) => one.name() === name);
  const lists = command?.commands.some((one) => one.name() === 'list') ?? false;
  // A command with arguments of its own does something else without a subcommand.
  if (command && command.registeredArguments.length > 0) return [...args];
  if (name === undefined || !lists || next === '--help' || next === '-h') return [...args];
  if (next === undefined) return [name, 'list'];
  return next.startsWith('-') ? [name, 'list', next, ...rest] : [...args];
}
