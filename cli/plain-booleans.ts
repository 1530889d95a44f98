import type { Command } from 'commander';

/**
 * kubectl takes `--force=true` and `--force=false` as well as `--force`; people and scripts bring both. Here a flag is
 * there or not, so the first form becomes the flag and the second nothing. `--dry-run=client` and `=server` are the same
 * here: nothing is changed.
 */
export function plainBooleans(args: readonly string[], program: Command): string[] {
  const booleans = booleanFlags(program);
  return args.flatMap((arg) => {
    const [, flag = '', value = ''] = /^(--[a-z\d.-]+)=(.*)$/.exec(arg) ?? [];
    if (flag === '--dry-run') return dryRun(arg, value);
    if (!booleans.has(flag)) return [arg];
    if (/^(?:true|t|1)$/i.test(value)) return [flag];
    return /^(?:false|f|0)$/i.test(value) ? [] : [arg];
  });
}

function dryRun(arg: string, value: string): string[] {
  if (['client', 'server', 'true'].includes(value)) return ['--dry-run'];
  return ['none', 'false'].includes(value) ? [] : [arg];
}

/** Every flag of the program and its commands that takes no value. `--no-...` says no by itself. */
export function booleanFlags(command: Command): ReadonlySet<string> {
  const own = command.options.filter((option) => option.isBoolean()).map(({ long }) => long ?? '');
  return new Set([...own, ...command.commands.flatMap((one) => [...booleanFlags(one)])]);
}
