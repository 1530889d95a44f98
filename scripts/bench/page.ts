import { type Figure, rounded, verdictOf } from './figure.ts';
import type { Report } from './report.ts';

const begin = '<!-- What follows is written by `npm run bench -- --write`. -->';
const end = '<!-- The end of what is written by `npm run bench -- --write`. -->';

/**
 * The page with the figures of this report, and everything else as it was.
 * @throws Error if the page lacks one of the two comments around the figures
 */
export function withFigures(page: string, report: Report): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`The page has no place for figures: ${begin} ... ${end}`);
  return `${page.slice(0, from)}${begin}\n\n${figuresOf(report)}\n\n${page.slice(to)}`;
}

function figuresOf({ date, machine, suites }: Report): string {
  const all = Object.entries(suites).flatMap(([suite, figures]) =>
    figures.filter(({ isDetail }) => isDetail !== true).map((figure) => ({ suite, figure })),
  );
  return [
    `Measured on ${machine.processors} (${machine.platform}, ${machine.memoryGiB} GiB), Node ${machine.node}, ${date}, in one run.`,
    'What a node that leaves costs, beside others:',
    '',
    ...tableOf(all.filter(({ figure }) => figure.peers !== undefined)),
    '',
    `<details><summary>All ${all.length} figures</summary>`,
    '',
    ...tableOf(all),
    '',
    '</details>',
  ].join('\n');
}

interface Row {
  readonly suite: string;
  readonly figure: Figure;
}

const tableOf = (rows: readonly Row[]): readonly string[] => [
  '| | figure | value | goal | | others |',
  '|---|---|--:|--:|---|---|',
  ...rows.map(rowOf),
];

function rowOf({ suite, figure }: Row): string {
  const { name, value, unit, goal, peers = '' } = figure;
  const limit = goal === undefined ? '' : `≤ ${goal}`;
  return `| ${suite} | ${name} | ${rounded(value)} ${unit} | ${limit} | ${verdictOf(figure)} | ${peers} |`;
}
