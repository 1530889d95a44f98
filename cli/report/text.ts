import type { ReportSection, ReportTable } from '../../ui/state/report.ts';
import { painted, type Text } from '../output.ts';
import { named, sentence, type TableView } from '../table/column.ts';
import { tableText } from '../table/table.ts';
import type { Report } from './report-of.ts';
import { coversOf, sectionsOf } from './sections.ts';

/** The report for people. A part that is not known says why; it never looks like a part without events. */
export function reportText(report: Report, view: TableView): Text {
  const of = report.group === null ? 'all groups' : `group ${report.group}`;
  return [
    `cluster ${report.cluster}, ${of}, from ${report.since} to ${report.until} (UTC)\n`,
    ...sectionsOf(report).map((section) => sectionText(section, view)),
    '\n',
    painted('bold', 'What this covers'),
    '\n',
    ...coversOf(report).map((one) => `${one}\n`),
    ...report.covers.missing.map((one) => painted('yellow', `missing: ${one}\n`)),
  ];
}

function sectionText({ title, unknown, tables }: ReportSection, view: TableView): Text {
  const body =
    unknown === undefined
      ? tables.map((table) => listed(table, view))
      : painted('yellow', `not known: ${unknown}\n`);
  return ['\n', painted('bold', title), '\n', body];
}

/** More rows are for programs: `--json` has them. */
const mostRows = 15;

function listed({ head, rows, sentences }: ReportTable, view: TableView): Text {
  const said = sentences.map((one) => `${one}\n`);
  if (rows.length === 0) return ['none\n', ...said];
  const [first, ...others] = head.map((name) => name.toUpperCase());
  const last = others.pop();
  const columns = [
    named(first ?? ''),
    ...others,
    ...(last === 'REASON' ? [sentence(last)] : last ? [last] : []),
  ];
  const more = rows.length - mostRows;
  return [
    tableText(columns, rows.slice(0, mostRows), view),
    more > 0 ? `and ${more} more: --json has all\n` : '',
    ...said,
  ];
}
