import { withAutoScalingFlags } from '../auto-scaling/flags.ts';
import { withClusterFlags } from '../cluster.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import type { RegisterCommand } from '../register.ts';
import type { StatusReport } from './report.ts';
import { reportOf } from './report-of.ts';
import { createLook, type StatusFlags } from './sight.ts';
import { statusText } from './text.ts';
import { watchStatus } from './watch.ts';

const help = `
Reads Auto Scaling with this machine's AWS credentials, and the marks on Nodes with a kubeconfig; where either is missing it
shows what it can and says what it could not see. It changes nothing.

Examples:
  drover status --cluster prod
  drover status --cluster prod --watch                  again every five seconds, until Ctrl-C
  drover status --json | jq -r '.problems[] | .subject + ": " + .message'

Exit codes:
  0  all was seen, and nothing needs a person; nodes may well be leaving
  1  something needs a person, or could not be seen: the last lines say what
  2  the command line is wrong`;

interface Flags extends StatusFlags {
  readonly json?: true;
  readonly watch?: true;
}

/** `drover status`: what leaves now, and what needs a person. */
export const registerStatus: RegisterCommand = (program, context) => {
  withClusterFlags(withAutoScalingFlags(program.command('status')))
    .description('show what is leaving, which groups are paused, and what needs a person')
    .option('--json', 'print JSON; with --watch one object per line, whenever something has changed')
    .option('--watch', 'look again every five seconds')
    .addHelpText('after', help)
    .action(async (flags: Flags) => await status(flags, context));
};

async function status(flags: Flags, context: CliContext): Promise<void> {
  const sight = createLook(flags, context);
  const look = async (): Promise<StatusReport> => reportOf(await sight());
  const isScreen = context.stdout.isTerminal && !flags.json;
  if (flags.watch) await watchStatus({ look, show: viewer(flags, context), everyTime: isScreen }, context);
  const report = await look();
  context.stdout.write(
    flags.json
      ? `${JSON.stringify(report, null, 2)}\n`
      : statusText(report, { colour: context.stdout.isTerminal }),
  );
  const reasons = reasonsToMind(report);
  if (reasons.length > 0) throw new CliError(reasons.join(', '), exitCodes.failed);
}

const reasonsToMind = ({ problems, missing }: StatusReport): readonly string[] => [
  ...(problems.length > 0 ? [count(problems.length, 'thing needs a person', 'things need a person')] : []),
  ...(missing.length > 0
    ? [count(missing.length, 'thing could not be seen', 'things could not be seen')]
    : []),
];

const clearScreen = '\u001b[H\u001b[2J';

function viewer({ json }: Flags, { stdout }: CliContext): (report: StatusReport) => void {
  if (json) return (report) => stdout.write(`${JSON.stringify(report)}\n`);
  if (stdout.isTerminal)
    return (report) => stdout.write(`${clearScreen}${statusText(report, { colour: true })}`);
  return (report) => stdout.write(`${statusText(report, { colour: false })}\n`);
}

const count = (number: number, one: string, more: string): string => `${number} ${number === 1 ? one : more}`;
