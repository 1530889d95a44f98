import type { CliContext } from '../../context.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { jsonText } from '../../json-text.ts';
import { isMissingFile } from '../../missing-file.ts';
import { oneLine } from '../../plain-text.ts';
import { named, sentence, type TableView, viewOf } from '../../table/column.ts';
import { tableText } from '../../table/table.ts';
import { type CertificateReport, judgePki, type PkiReport } from './judge.ts';
import { type PkiFile, readPki } from './read.ts';

export interface InspectFlags {
  readonly json?: true;
  readonly within: number;
}

/** Prints what certificates contain and their problems; fails if there is a problem. */
export async function inspectPki(
  paths: readonly string[],
  flags: InspectFlags,
  context: CliContext,
): Promise<void> {
  const files = await read(paths);
  const report = judgePki({ files, now: context.clock.now(), withinSeconds: flags.within });
  if (report.certificates.length === 0 && report.problems.length === 0)
    throw new CliError(`there is no certificate in ${paths.join(', ')}`, exitCodes.failed);
  context.stdout.write(flags.json ? jsonText(report) : textOf(report, viewOf(context.stdout)));
  if (report.problems.length === 0) return;
  throw new CliError(`${report.problems.length} to look at`, exitCodes.failed);
}

async function read(paths: readonly string[]): Promise<readonly PkiFile[]> {
  try {
    return await readPki(paths);
  } catch (cause) {
    if (isMissingFile(cause))
      throw new CliError(
        `there is no ${cause.path}: name the folder that drover pki has made, or files of it`,
        exitCodes.failed,
      );
    throw new CliError('cannot list the files', exitCodes.failed, cause);
  }
}

const head = [
  named('FILE'),
  named('SUBJECT'),
  named('ISSUER', { leftOut: 3 }),
  named('USAGES', { leftOut: 4 }),
  'DAYS LEFT',
  'CHAIN',
  { head: 'KEY', leftOut: 1 },
  sentence('NAMES', { leftOut: 2 }),
];

function textOf({ certificates, problems }: PkiReport, view: TableView): string {
  const table = certificates.length > 0 ? tableText(head, certificates.map(columnsOf), view) : '';
  const lines = problems.map(({ path, message }) => `${path}: ${oneLine(message)}\n`);
  return `${table}${lines.length > 0 ? '\n' : ''}${lines.join('')}`;
}

const columnsOf = (report: CertificateReport): readonly string[] => [
  report.path,
  report.subject,
  report.issuer,
  report.isAuthority ? 'authority' : report.usages.join(','),
  String(report.daysLeft),
  report.chain,
  report.key,
  report.names.join(','),
];
