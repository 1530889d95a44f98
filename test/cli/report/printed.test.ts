import { expect, it } from 'vitest';
import { rendered } from '../../../cli/output.ts';
import { csvText } from '../../../cli/report/csv.ts';
import type { HoldResult, ReportedHold } from '../../../cli/report/fold/holds.ts';
import type { Report } from '../../../cli/report/report-of.ts';
import { reportText } from '../../../cli/report/text.ts';
import { wholeView } from '../../../cli/table/column.ts';
import { start } from './lines.ts';

const unknown = { kind: 'unknown', reason: 'the log is denied' } as const;

const hold = (result: HoldResult, name: string = result): ReportedHold => ({
  group: 'workers',
  name,
  schedule: undefined,
  nodes: 4,
  from: start,
  to: start + 600_000,
  result,
  shortSeconds: 0,
});

const reportWith = (...holds: readonly ReportedHold[]): Report => ({
  version: 1,
  cluster: 'shop',
  stage: 'prod',
  group: null,
  since: '2026-01-05T08:00:00Z',
  until: '2026-01-06T08:00:00Z',
  covers: { logs: { from: null, to: '2026-01-06T08:00:00Z', lines: 0 }, activities: null, missing: [] },
  drains: unknown,
  budgets: unknown,
  joins: unknown,
  launches: unknown,
  holds: { kind: 'known', value: { holds, hours: [], inUnits: [], unseenSeconds: 0 } },
  refusals: unknown,
});

const printed = (...holds: readonly ReportedHold[]): string =>
  rendered(reportText(reportWith(...holds), wholeView), false);

const namesIn = (report: Report): readonly string[] =>
  csvText(report)
    .split('\n')
    .slice(1, -1)
    .map((line) => line.split(',')[2] ?? '');

it('the text does not judge a hold that waits for its nodes, and shows it after those that were not kept', () => {
  const text = printed(hold('kept'), hold('waiting'), hold('never'));
  expect(text).toMatch(/\nnever .*never had its nodes.*\nwaiting .*waits for its nodes.*\nkept .*kept/);
  expect(text).toContain('\n1 of 2 holds were kept\n1 hold waits for nodes that launch\n');
  const alone = printed(hold('waiting'));
  expect(alone).toContain('1 hold waits for nodes that launch\n');
  expect(alone).not.toContain('kept');
});

it('the text has no end for a hold that goes on at the end of the report', () => {
  const text = printed(
    { ...hold('kept', 'sale'), to: Date.parse('2026-01-06T08:00:00.400Z') },
    hold('kept', 'night'),
  );
  expect(text).toMatch(/\nsale .* goes on +kept/);
  expect(text).toMatch(/\nnight .*T08:10Z +kept/);
});

it.each([
  '=HYPERLINK("x")',
  '\u001b[m=1+1',
  '\u009b0m@SUM(A1)',
  '\u001b]0;title\u0007+1',
  '\t=1',
  '\n-1',
  ' =1',
])(
  '--csv: a spreadsheet does not take %j for a formula, also without what a terminal must not have',
  (name) => {
    expect(namesIn(reportWith(hold('kept', name)))).toEqual([expect.stringMatching(/^"?'\s?[=+\-@]/)]);
  },
);

it('--csv has the result of a hold that waits', () => {
  expect(csvText(reportWith(hold('waiting')))).toContain(',waiting,4,');
});
