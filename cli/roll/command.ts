import type { Command } from 'commander';
import { type AccessFlags, usesScaleApi, withNodeAccessFlags } from '../access/flags.ts';
import type { CliContext } from '../context.ts';
import { endsAtSafePoint, exitCodesHelp, failedOrRefused } from '../exit-codes.ts';
import { withListingFlags } from '../listing/flags.ts';
import type { RegisterCommand } from '../register.ts';
import { waitTimeout } from '../wait-timeout.ts';
import type { ChangeFlags, ChangeRequest } from './change.ts';
import { type BeginFlags, withBeginFlags } from './flags.ts';
import type { RollListFlags } from './list.ts';
import type { StatusFlags } from './status.ts';

const help = `
Replaces the nodes of groups one after the other: a replacement is launched and Ready before an old node is drained. The deployment does it, with
its parameter rolls=on; this computer need not stay on. It shows first what would hold the roll, and does not begin if a pod cannot
move or a group is not ready for it. MinSize, MaxSize and the desired capacity stay as they are.

Examples:
  drover roll workers --dry-run                          what is old, what would hold the roll, how long it takes
  drover roll workers --wait                             until it has ended; Ctrl-C ends only the command
  drover roll --all --window "Mon-Fri 09:00-16:00 Europe/Berlin"
  drover roll workers --older-than 30d --surge 3 --skip-blocked
  drover roll --all --below 1.34.2 --stop-on web-errors
  drover roll --instance i-0123456789abcdef0             this instance
  drover roll workers --api                              through the scale API at $DROVER_API_URL
  drover roll workers --dry-run --json | jq -r '.old[].blocked[].pod'
${exitCodesHelp({
  ...failedOrRefused,
  ...endsAtSafePoint,
  done: 'begun, or nothing is old; with --wait: every old node is replaced',
  timedOut: 'the timeout of --wait has passed; the roll goes on',
})}`;

const statusHelp = `
Examples:
  drover roll status
  drover roll status workers --json | jq '.groups[].old'
  drover roll status workers --api                       through the scale API at $DROVER_API_URL
  drover roll status eks-blue-2c9f1d0a --wait            the update of a managed node group of EKS
${exitCodesHelp({
  ...endsAtSafePoint,
  failed: 'there is no such roll; with --wait: the roll, or the update of EKS, did not succeed',
  timedOut: 'the timeout of --wait has passed; the roll goes on',
})}`;

const changeHelp = (examples: string, more: Parameters<typeof exitCodesHelp>[0] = {}): string => `
Examples:
${examples}
${exitCodesHelp({ ...failedOrRefused, ...more })}`;

/** `drover roll GROUP...|status|pause|resume|abort|list`: docs/rolling.md. */
export const registerRoll: RegisterCommand = (program, context) => {
  // Positional, so that a flag after a subcommand is its own although `roll` has one of that name.
  const roll = withBeginFlags(program.command('roll').enablePositionalOptions())
    .description('replace the nodes of groups, and watch, pause or abort that')
    .argument('[groups...]', 'the Auto Scaling groups; left out with --all or --instance')
    .addHelpText('after', help)
    .action(async (groups: readonly string[], flags: BeginFlags & AccessFlags) => {
      if (usesScaleApi(flags)) {
        const { beginOverApi } = await import('./begin-over-api.ts');
        return await beginOverApi(groups, flags, context);
      }
      const { begin } = await import('./begin.ts');
      return await begin(groups, flags, context);
    });
  roll.hook('preSubcommand', refuseMisplacedFlags);
  withNodeAccessFlags(roll.command('status'))
    .description('show how far a roll is')
    .argument('[name]', 'the name of the roll, or an EKS node group; left out: each roll that has not ended')
    .option('--wait', 'show the progress until it has ended')
    .addOption(waitTimeout())
    .option('--json', 'print JSON: one object, or one on a line with --wait')
    .addHelpText('after', statusHelp)
    .action(async (name: string | undefined, flags: StatusFlags & AccessFlags) => {
      if (usesScaleApi(flags)) {
        const { statusOverApi } = await import('./status-over-api.ts');
        return await statusOverApi(name, flags, context);
      }
      const { status } = await import('./status.ts');
      return await status(name, flags, context);
    });
  registerChanges(roll, context);
  withListingFlags(withNodeAccessFlags(roll.command('list')))
    .description('list the rolls, with those that have ended in the last week')
    .addHelpText('after', changeHelp('  drover roll list\n  drover roll list -o name'))
    .action(async (flags: RollListFlags) => {
      const { list } = await import('./list.ts');
      await list(flags, context);
    });
};

function registerChanges(roll: Command, context: CliContext): void {
  const changing = (kind: ChangeRequest['kind'], description: string): Command =>
    withNodeAccessFlags(roll.command(kind))
      .description(description)
      .argument('<name>', 'the name of the roll')
      .option('--dry-run', 'show what would change, and change nothing')
      .option('--json', 'print JSON')
      .action(async (name: string, flags: ChangeFlags & AccessFlags) => {
        if (usesScaleApi(flags)) {
          const { changeOverApi } = await import('./change-over-api.ts');
          return await changeOverApi({ name, kind }, flags, context);
        }
        const { change } = await import('./change.ts');
        return await change({ name, kind }, flags, context);
      });
  changing('pause', 'replace no further node until the roll is resumed').addHelpText(
    'after',
    changeHelp(
      '  drover roll pause workers\n  drover roll pause workers --api     through the scale API at $DROVER_API_URL',
    ),
  );
  changing('resume', 'continue a roll that is paused or has stopped')
    .option('--retarget', 'begin again with what the groups launch now, with a canary')
    .addHelpText(
      'after',
      changeHelp('  drover roll resume workers\n  drover roll resume workers --retarget'),
    );
  changing('abort', 'end a roll, and remove its taints and marks')
    .option('--wait', 'wait until no node has a taint or a mark of it')
    .addOption(waitTimeout())
    .addHelpText(
      'after',
      changeHelp('  drover roll abort workers --wait', {
        ...endsAtSafePoint,
        timedOut: 'the timeout of --wait has passed; the roll is being aborted',
      }),
    );
}

/** The subcommand would not see them: it would change a roll of another cluster than the one that is named. */
function refuseMisplacedFlags(roll: Command, subcommand: Command): void {
  const name = subcommand.name();
  for (const option of roll.options)
    if (roll.getOptionValueSource(option.attributeName()) === 'cli')
      subcommand.error(`error: give ${option.long} after ${name}: drover roll ${name} ${option.long} ...`);
}
