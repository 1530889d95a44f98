import { Option } from 'commander';
import { withAutoScalingFlags } from '../auto-scaling/flags.ts';
import { withClusterFlags } from '../cluster-flags.ts';
import { durationWithUnit } from '../durations.ts';
import { exitCodesHelp } from '../exit-codes.ts';
import type { RegisterCommand } from '../register.ts';
import type { EventsFlags } from './events.ts';
import { functionNames } from './functions.ts';

const help = `
Reads the logs of Drover's functions with this machine's AWS credentials, and changes nothing. Shown are passes, what intake took in, decisions about
certificates, holds that schedules had made, changes through the scale API, rotations, warnings and errors.

Examples:
  drover events --instance i-0123456789abcdef0 --since 3h
  drover events --instance ip-10-0-32-6               by its node, with a kubeconfig
  drover events --group workers --follow              what comes too, until Ctrl-C
  drover events --json | jq -r '.events[] | select(.level == "error") | .reason'
${exitCodesHelp({ done: 'everything was read' })}`;

const longestSeconds = 90 * 86_400;

/** `drover events`: what Drover saw and decided lately. */
export const registerEvents: RegisterCommand = (program, context) => {
  withClusterFlags(withAutoScalingFlags(program.command('events')))
    .description('show what Drover saw and decided lately, from the logs of its functions')
    .option('--instance <name>', 'only what concerns this instance, by its id or by the name of its node')
    .addOption(
      new Option('--group <name>', 'only what concerns this group or its instances of now').conflicts(
        'instance',
      ),
    )
    .addOption(
      new Option('--since <duration>', 'how far back, such as 90m or 2d')
        .argParser((text) => durationWithUnit(text, { minimum: 1, maximum: longestSeconds }))
        .default(3600, '1h'),
    )
    .addOption(new Option('--function <name>', 'only one function').choices(functionNames))
    .option('--stage <stage>', 'the stage of the deployment, where the account and region have several')
    .option('--follow', 'go on with what comes, every five seconds')
    .option('--json', 'print JSON; with --follow one object per line')
    .addHelpText('after', help)
    .action(async (flags: EventsFlags) => {
      const { events } = await import('./events.ts');
      await events(flags, context);
    });
};
