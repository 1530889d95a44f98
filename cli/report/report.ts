import { isoSeconds } from '../../shared/base/iso-seconds.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { jsonText } from '../json-text.ts';
import { viewOf } from '../table/column.ts';
import { csvText } from './csv.ts';
import { type ObserveFlags, observeDeployment } from './observe.ts';
import { noPrices, type Prices } from './price.ts';
import type { LinesRead } from './read-lines.ts';
import { reportOf } from './report-of.ts';
import { reportText } from './text.ts';

export interface ReportFlags extends ObserveFlags {
  /** Epoch milliseconds. */
  readonly since: number;
  readonly price?: Prices;
  readonly json?: true;
  readonly csv?: true;
}

/**
 * Prints the report of a time that ends now.
 *
 * @throws CliError `couldNotLook` once the report is printed, if something could not be read; `failed` if there is no such group or deployment.
 */
export async function report(
  group: string | undefined,
  flags: ReportFlags,
  context: CliContext,
): Promise<void> {
  const { since } = flags;
  const { cluster, stage, observed, isComplete } = await observeDeployment(
    flags,
    { since, group, onProgress: progressOn(context) },
    context,
  );
  const found = reportOf(observed, { cluster, stage, group, prices: flags.price ?? noPrices });
  if (flags.json) context.stdout.write(jsonText(found));
  else if (flags.csv) context.stdout.write(csvText(found));
  else context.stdout.write(reportText(found, viewOf(context.stdout)));
  // JSON and the text contain it. CSV has no place for it.
  if (flags.csv) for (const missing of found.covers.missing) context.stderr.write(`${missing}\n`);
  if (!isComplete) throw new CliError('the report lacks what could not be read', exitCodes.couldNotLook);
}

/** A log of fewer lines is read within seconds. */
const progressLines = 20_000;

/** On a terminal, a line for each of these many lines that were read. */
function progressOn({ stderr }: Pick<CliContext, 'stderr'>): (name: string, read: LinesRead) => void {
  let next = progressLines;
  let of = '';
  return (name, { lines, oldest }) => {
    if (name !== of) {
      of = name;
      next = progressLines;
    }
    if (!stderr.isTerminal || lines < next || oldest === undefined) return;
    next = lines + progressLines;
    stderr.write(`${name}: ${lines.toLocaleString('en')} lines read, back to ${isoSeconds(oldest)}\n`);
  };
}
