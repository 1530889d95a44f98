import { type Command, InvalidArgumentError, Option } from 'commander';
import { durationText } from '../../shared/base/duration.ts';
import { durationBounds, leadBounds, mostExceptions } from '../../shared/capacity/schedules/bounds.ts';
import type { Lead } from '../../shared/capacity/schedules/schedule.ts';
import { withAccessFlags, withNodeAccessFlags } from '../access/flags.ts';
import { isCalendarDate } from '../calendar-date.ts';
import type { CliContext } from '../context.ts';
import { durationSeconds, durationWithUnit, wholeNumber } from '../durations.ts';
import { CliError, exitCodes, exitCodesHelp, failedOrRefused } from '../exit-codes.ts';
import { withListingFlags } from '../listing/flags.ts';
import { nodeCount } from '../node-count.ts';
import { withPodFlags } from '../pod-request/flags.ts';
import type { RegisterCommand } from '../register.ts';
import type { ChangeFlags } from './change.ts';
import type { CreateFlags, WantedSchedule } from './create.ts';
import type { ListFlags } from './list.ts';
import type { PreviewFlags } from './preview.ts';

const codes = exitCodesHelp(failedOrRefused);

const help = `
A schedule keeps at least a number of nodes in a group, from each time of an expression on for a duration. The nodes are Ready at those
times: Drover creates the hold of each time early enough for launches of the group. Schedules are schedules of Amazon
EventBridge Scheduler in schedule group drover-CLUSTER. Works with this machine's AWS credentials, or
with --api or --endpoint through the scale API.
${codes}`;

const createHelp = `
The fields of --cron are minutes, hours, day of the month, month, day of the week (1 or SUN is Sunday) and year; one of the two days
is ?. A time that clocks skip in spring is skipped, and a time that they repeat in autumn counts once.

Examples:
  drover schedule create workers 5 --name office-hours --cron '0 8 ? * MON-FRI *' --time-zone Europe/Berlin --for 10h
  drover schedule create workers 20 --name month-end --cron '5 0 1 * ? *' --for 3h --lead 15m
  drover schedule create workers 40 --name sale --at 2026-11-27T09:00:00 --time-zone America/New_York --for 12h --raise-max-size --dry-run
  drover schedule create workers 5 --name office-hours --cron '0 8 ? * MON-FRI *' --for 10h --except 2026-12-25 --replace
  drover schedule create workers --for-pods -f web.yaml --pods 60 --name nine --cron '0 9 ? * * *' --for 2h     room for 60 pods
${codes}`;

/** `drover schedule`: floors of groups that recur at the times of an expression. */
export const registerSchedule: RegisterCommand = (program, context) => {
  const schedule = program
    .command('schedule')
    .description('nodes that are Ready at the times of a schedule; lists the schedules without a subcommand')
    .addHelpText('after', help);
  registerCreate(schedule, context);
  withListingFlags(withAccessFlags(schedule.command('list')))
    .description('list the schedules of the cluster')
    .addHelpText('after', codes)
    .action(async (flags: ListFlags) => {
      const { listSchedules } = await import('./list.ts');
      await listSchedules(flags, context);
    });
  withAccessFlags(schedule.command('preview'))
    .description('show the next times of a schedule, when their holds are created, and which are skipped')
    .argument('<name>', 'the name of the schedule')
    .addOption(new Option('--count <number>', 'how many times').argParser(countArgument).default(10))
    .option('--json', 'print JSON')
    .addHelpText('after', codes)
    .action(async (name: string, flags: PreviewFlags) => {
      const { previewSchedule } = await import('./preview.ts');
      await previewSchedule(name, flags, context);
    });
  registerChange(schedule, context, { change: 'pause', description: 'create no holds for a schedule' });
  registerChange(schedule, context, { change: 'resume', description: 'end the pause of a schedule' });
  registerChange(schedule, context, { change: 'delete', description: 'delete a schedule' });
};

function registerCreate(schedule: Command, context: CliContext): void {
  withPodFlags(withNodeAccessFlags(schedule.command('create')))
    .description('create a schedule')
    .argument('<group>', 'the Auto Scaling group')
    .argument('[nodes]', 'the lowest number of nodes; left out with --for-pods')
    // NAME GROUP NODES was the order until `hold create` and this command got the same one.
    .argument('[formerNodes]')
    .usage('[options] <group> [nodes] --name <name>')
    .option('--name <name>', 'the name of the schedule: letters, digits, dots and dashes')
    .option('--cron <fields>', 'the times, as six fields of EventBridge Scheduler')
    .option('--at <time>', 'one time, such as 2026-12-24T08:00:00')
    .option('--time-zone <zone>', 'the time zone of the times, and of exceptions', 'UTC')
    .addOption(
      new Option('--for <duration>', 'how long the nodes are kept, from each time on')
        .argParser(durationArgument)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--lead <duration>',
        'how long before each time the hold is created; measured: as long as launches of the group take',
      )
        .argParser(leadArgument)
        .default('measured' satisfies Lead),
    )
    .addOption(
      new Option('--except <date>', 'a date such as 2026-12-25 that is skipped; may be repeated')
        .argParser(exceptionArgument)
        .default([], 'none'),
    )
    .option('--raise-max-size', 'raise MaxSize if it is too small, and restore it afterwards')
    .option('--replace', 'replace a schedule of this name that asks for something else')
    .option('--dry-run', 'show what would happen, and change nothing')
    .option('--json', 'print JSON')
    .addHelpText('after', createHelp)
    .action(
      async (first: string, second: string | undefined, third: string | undefined, flags: CreateFlags) => {
        const { createNamed } = await import('./create.ts');
        await createNamed(wantedSchedule([first, second, third], flags, context), flags, context);
      },
    );
}

/** @throws CliError without a name, or if the number of nodes is none. */
function wantedSchedule(
  [first, second, third]: readonly [string, string | undefined, string | undefined],
  { name, forPods }: CreateFlags,
  { stderr }: CliContext,
): WantedSchedule {
  if (third === undefined) {
    if (name === undefined) throw new CliError('give the schedule a name with --name', exitCodes.usage);
    if (forPods && second !== undefined)
      throw new CliError('give either a number of nodes or --for-pods', exitCodes.usage);
    if (forPods) return { name, autoScalingGroupName: first, nodes: undefined };
    if (second === undefined)
      throw new CliError(
        'give the lowest number of nodes, or --for-pods (drover schedule create --help explains)',
        exitCodes.usage,
      );
    return { name, autoScalingGroupName: first, nodes: nodesOf(second) };
  }
  if (name !== undefined)
    throw new CliError(`${third} is one argument too many: give GROUP NODES --name NAME`, exitCodes.usage);
  stderr.write(`drover: next time, write drover schedule create ${second} ${third} --name ${first} ...\n`);
  return { name: first, autoScalingGroupName: second ?? '', nodes: nodesOf(third) };
}

function nodesOf(text: string): number {
  try {
    return nodeCount(text);
  } catch (error) {
    throw new CliError(`${text} is not a number of nodes`, exitCodes.usage, error);
  }
}

function registerChange(
  schedule: Command,
  context: CliContext,
  { change, description }: { readonly change: 'pause' | 'resume' | 'delete'; readonly description: string },
): void {
  withAccessFlags(schedule.command(change))
    .description(description)
    .argument('<name>', 'the name of the schedule')
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExisting holds of the schedule last until their ends.\n${codes}`)
    .action(async (name: string, flags: ChangeFlags) => {
      const { changeSchedule } = await import('./change.ts');
      await changeSchedule(change, name, flags, context);
    });
}

/** @throws InvalidArgumentError, like all parsers below: commander turns it into a usage error. */
const durationArgument = (text: string): number => durationWithUnit(text, durationBounds);

const leadArgument = (text: string): Lead =>
  text === 'measured' ? text : within(durationSeconds(text), leadBounds);

function within(
  seconds: number,
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
): number {
  if (Number.isInteger(seconds) && seconds >= minimum && seconds <= maximum) return seconds;
  throw new InvalidArgumentError(
    `write whole seconds, from ${durationText(minimum)} to ${durationText(maximum)}`,
  );
}

function countArgument(text: string): number {
  const count = wholeNumber(text);
  if (count >= 1 && count <= 1000) return count;
  throw new InvalidArgumentError('write a number from 1 to 1000');
}

function exceptionArgument(text: string, before: readonly string[]): readonly string[] {
  if (!isCalendarDate(text))
    throw new InvalidArgumentError('write a date of the calendar, such as 2026-12-25');
  if (before.length >= mostExceptions) throw new InvalidArgumentError(`give at most ${mostExceptions} dates`);
  return [...before, text];
}
