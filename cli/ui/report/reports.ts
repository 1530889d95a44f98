import type { ReportSource } from '../../../ui/server/report.ts';
import type { KeptReport, ReportTable, ReportView } from '../../../ui/state/report.ts';
import type { CliContext } from '../../context.ts';
import { functionNames } from '../../events/functions.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { jsonText } from '../../json-text.ts';
import { oneLine } from '../../plain-text.ts';
import { reasonOf } from '../../reason-of.ts';
import { csvText } from '../../report/csv.ts';
import { type ObservedDeployment, type ObserveFlags, observeDeployment } from '../../report/observe.ts';
import { noPrices } from '../../report/price.ts';
import { type Report, reportOf } from '../../report/report-of.ts';
import { coversOf, sectionsOf } from '../../report/sections.ts';
import { plainState } from '../look/plain-state.ts';
import type { Turn } from './turn.ts';

const dayMilliseconds = 86_400_000;

export interface ReportsOptions {
  readonly clusterName: string;
  readonly flags: ObserveFlags;
  readonly turn: Turn;
}

/** The reports of a cluster for its page. What was read last is kept, for every group: a group is chosen without another reading. */
export function createReports(
  { clusterName, flags, turn }: ReportsOptions,
  context: CliContext,
): ReportSource {
  let kept: ObservedDeployment | undefined;
  const latest = (group: string | undefined): Report | KeptReport => {
    if (kept === undefined) return { kind: 'none' };
    if (group !== undefined && !kept.groups.includes(group)) return { kind: 'no-group' };
    const { cluster, stage, observed } = kept;
    return reportOf(observed, { cluster, stage, group, prices: noPrices });
  };
  return {
    clusterName,
    latest: (group) => {
      const report = latest(group);
      return 'kind' in report ? report : { kind: 'report', report: plainState(reportView(report)) };
    },
    file: (format, { group, until }) => {
      const report = latest(group);
      if ('kind' in report || report.until !== until) return undefined;
      return {
        name: `${fileName(report)}.${format}`,
        body: format === 'csv' ? csvText(report) : jsonText(report),
      };
    },
    read: (days, { onProgress, signal }) =>
      turn.take(clusterName, async () => {
        try {
          kept = await observeDeployment(
            flags,
            {
              since: context.clock.now() - days * dayMilliseconds,
              signal,
              onProgress: (log, { lines, oldest }) =>
                onProgress({
                  log,
                  done: functionNames.indexOf(log),
                  all: functionNames.length,
                  lines,
                  ...(oldest !== undefined && { oldest }),
                }),
            },
            context,
          );
        } catch (cause) {
          throw new CliError(oneLine(reasonOf(cause)), exitCodes.failed, cause);
        }
      }),
  };
}

/** More rows are for programs: the files have them. */
const mostRows = 100;

/** The report as the page shows it. Pure. */
export function reportView(report: Report): ReportView {
  const { cluster, stage, group, since, until, covers } = report;
  const sections = sectionsOf(report).map((section) => ({ ...section, tables: section.tables.map(capped) }));
  return { cluster, stage, group, since, until, sections, covers: coversOf(report), missing: covers.missing };
}

const capped = (table: ReportTable): ReportTable =>
  table.rows.length <= mostRows
    ? table
    : { ...table, rows: table.rows.slice(0, mostRows), more: table.rows.length - mostRows };

/** What and when, so that the files of two clusters are not mistaken for each other. */
const fileName = ({ cluster, group, since, until }: Report): string =>
  ['drover-report', cluster, ...(group === null ? [] : [group]), since.slice(0, 10), until.slice(0, 10)]
    .join('_')
    .replaceAll(/[^\w.-]/g, '-');
