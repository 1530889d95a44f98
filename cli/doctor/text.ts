import type { Problem } from '../../shared/problems/problem.ts';
import { painted, type Text } from '../output.ts';
import { oneLine } from '../plain-text.ts';
import { named, sentence, type TableView, wholeView } from '../table/column.ts';
import { tableText } from '../table/table.ts';
import type { Verdict } from './check.ts';
import type { CheckedFinding, DoctorReport } from './report.ts';

interface TextOptions {
  readonly view?: TableView;
  /** A table of all findings at the end, instead of one line that counts what is as it should be. */
  readonly all?: boolean;
}

/** The report for people: each thing to do with its command, the configuration first and then the problems; last what is as it should be. */
export function doctorText(
  { at, clusterName, findings, problems }: DoctorReport,
  { view = wholeView, all = false }: TextOptions = {},
): Text {
  const title = `cluster ${clusterName}, ${at.replace(/\.\d+Z$/, 'Z')}`;
  return [
    painted('bold', oneLine(title)),
    '\n',
    ...section(withoutListed(findings, problems), { verdict: 'fix', title: 'Must be fixed:', style: 'red' }),
    ...problemSection(problems),
    ...unreadable(findings),
    ...section(findings, { verdict: 'advice', title: 'Advice:', style: 'yellow' }),
    '\n',
    all ? tableText(head, findings.map(rowOf), view) : [okLine(findings), '\n'],
  ];
}

/** `44 ok: queues 13, hooks 6, aws, ...`: the checks that found something as it should be, the most often first. */
function okLine(findings: readonly CheckedFinding[]): Text {
  const ok = findings.filter(({ verdict }) => verdict === 'ok');
  const counts = [...Map.groupBy(ok, ({ check }) => check)].map(
    ([check, found]) => [check, found.length] as const,
  );
  const checks = counts
    .toSorted(([, one], [, other]) => other - one)
    .map(([check, count]) => (count === 1 ? check : `${check} ${count}`));
  return [painted('green', `${ok.length} ok`), oneLine(checks.length === 0 ? '' : `: ${checks.join(', ')}`)];
}

/** A finding that is a problem of the list is printed there. */
const withoutListed = (
  findings: readonly CheckedFinding[],
  problems: readonly Problem[],
): readonly CheckedFinding[] =>
  findings.filter(
    (finding) =>
      !problems.some(({ subject, message }) => subject === finding.subject && message === finding.message),
  );

const problemSection = (problems: readonly Problem[]): readonly Text[] =>
  problems.length === 0
    ? []
    : [
        '\n',
        painted('red', 'Problems, as drover status shows them:'),
        '\n',
        ...problems.map(({ kind, subject, message, command }) =>
          detailOf({ check: kind, subject, message, command }),
        ),
      ];

const head = ['VERDICT', 'CHECK', named('SUBJECT'), sentence('FINDING')];

const rowOf = ({ verdict, check, subject, message }: CheckedFinding): readonly string[] => [
  verdict,
  check,
  subject,
  cut(message),
];

/** The whole message is printed below, with its command. */
const widestMessage = 100;
const cut = (message: string): string =>
  message.length > widestMessage ? `${message.slice(0, widestMessage - 1)}…` : message;

/** One reason may keep several checks from reading. */
function unreadable(findings: readonly CheckedFinding[]): readonly Text[] {
  const unknown = findings.filter(({ verdict }) => verdict === 'unknown');
  if (unknown.length === 0) return [];
  const checksBy = Map.groupBy(unknown, ({ message }) => message);
  const lines = [...checksBy].map(
    ([message, found]) => `${oneLine(`- ${found.map(({ check }) => check).join(', ')}: ${message}`)}\n`,
  );
  return ['\n', painted('red', 'Could not be read:'), '\n', ...lines];
}

interface Section {
  readonly verdict: Exclude<Verdict, 'unknown'>;
  readonly title: string;
  readonly style: 'red' | 'yellow';
}

function section(findings: readonly CheckedFinding[], { verdict, title, style }: Section): readonly Text[] {
  const found = findings.filter((finding) => finding.verdict === verdict);
  if (found.length === 0) return [];
  return ['\n', painted(style, title), '\n', ...found.map(detailOf)];
}

function detailOf({ check, subject, message, command }: Omit<CheckedFinding, 'verdict'>): Text {
  return [
    `${oneLine(`- ${check}, ${subject}: ${message}`)}\n`,
    ...(command ? [`    ${oneLine(command)}\n`] : []),
  ];
}
