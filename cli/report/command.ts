import { Option } from 'commander';
import { withAutoScalingFlags } from '../auto-scaling/flags.ts';
import { exitCodesHelp } from '../exit-codes.ts';
import type { RegisterCommand } from '../register.ts';
import { addPrice } from './price.ts';
import type { ReportFlags } from './report.ts';
import { sinceTime } from './since.ts';

const help = `
Reads the logs of Drover's functions and the activities of the groups with this machine's AWS credentials, and changes nothing. What could not be
read is named and never counted as zero. All times are in UTC.

Examples:
  drover report                                       the last 14 days of every group
  drover report workers --since 36h
  drover report --since 2026-01-05 --price 0.096 --price gpu=3.06
  drover report --csv > report.csv                    a line for each drain, join, hold and failed launch
${exitCodesHelp({ done: 'everything was read', couldNotLook: 'a log or the activities could not be read: the report says which' })}`;

const defaultDays = 14;

/** `drover report`: what drains, joins and holds took in weeks, and what they waited for. */
export const registerReport: RegisterCommand = (program, context) => {
  const now = context.clock.now();
  withAutoScalingFlags(program.command('report'))
    .description('report what drains, joins, launches and holds took, and what they waited for')
    .argument('[group]', 'only this Auto Scaling group; default: every managed group')
    .addOption(
      new Option('--since <time>', 'a duration such as 14d or 36h, or a date in UTC such as 2026-01-05')
        .argParser((text) => sinceTime(text, now))
        .default(now - defaultDays * 86_400_000, `${defaultDays}d`),
    )
    .addOption(
      new Option(
        '--price <dollars>',
        'dollars for an hour of a node; GROUP=DOLLARS for one group; repeatable',
      ).argParser(addPrice),
    )
    .option('--stage <stage>', 'the stage of the deployment, where the account and region have several')
    .addOption(new Option('--json', 'print JSON').conflicts('csv'))
    .option('--csv', 'print a line for each drain, join, hold and failed launch')
    .addHelpText('after', help)
    .action(async (group: string | undefined, flags: ReportFlags) => {
      const { report } = await import('./report.ts');
      await report(group, flags, context);
    });
};
