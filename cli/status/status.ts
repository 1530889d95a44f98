import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { jsonLine, jsonText } from '../json-text.ts';
import { createObserver, type StatusFlags } from './observe.ts';
import type { StatusReport } from './report.ts';
import { reportOf } from './report-of.ts';
import { statusText } from './text.ts';
import { watchStatus } from './watch.ts';

export interface Flags extends StatusFlags {
  readonly json?: true;
  readonly watch?: true;
}

/** Shows the report once, or again and again with `--watch`. */
export async function status(flags: Flags, context: CliContext): Promise<void> {
  const observe = createObserver(flags, context);
  const look = async (): Promise<StatusReport> => reportOf(await observe());
  const isScreen = context.stdout.isTerminal && !flags.json;
  if (flags.watch) await watchStatus({ look, show: viewer(flags, context), everyTime: isScreen }, context);
  const report = await look();
  context.stdout.write(flags.json ? jsonText(report) : statusText(report));
  const reasons = reasonsToMind(report);
  if (reasons.length > 0) throw new CliError(reasons.join(', '), exitCodes.failed);
}

const reasonsToMind = ({ problems, missing }: StatusReport): readonly string[] => [
  ...(problems.length > 0
    ? [count(problems.length, 'problem needs a person', 'problems need a person')]
    : []),
  ...(missing.length > 0
    ? [count(missing.length, 'source could not be read', 'sources could not be read')]
    : []),
];

function viewer({ json }: Flags, { stdout }: CliContext): (report: StatusReport) => void {
  if (json) return (report) => stdout.write(jsonLine(report));
  if (stdout.isTerminal)
    return (report) => {
      stdout.clear();
      stdout.write(statusText(report));
    };
  return (report) => stdout.write([statusText(report), '\n']);
}

const count = (number: number, one: string, more: string): string => `${number} ${number === 1 ? one : more}`;
