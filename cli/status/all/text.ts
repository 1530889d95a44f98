import { isoSeconds } from '../../../shared/base/iso-seconds.ts';
import { painted, type Text } from '../../output.ts';
import { oneLine } from '../../plain-text.ts';
import { named, type TableView } from '../../table/column.ts';
import { tableText } from '../../table/table.ts';
import type { AllStatus, ClusterStatus, ProblemOfCluster } from './look.ts';

const head = [
  named('CLUSTER'),
  named('STAGE', { leftOut: 1 }),
  { head: 'GROUPS', leftOut: 4 },
  'INSTANCES',
  { head: 'LEAVING', leftOut: 3 },
  { head: 'JOINING', leftOut: 5 },
  'PROBLEMS',
  'STATE',
];

/** One table of all clusters, what could not be read, and one list of problems. */
export function allText({ at, clusters, problems }: AllStatus, view: TableView): Text {
  const reasons = clusters.flatMap(({ stage, clusterName, state, reasons: own }) =>
    own.map(
      (reason): Text => [
        painted(
          state === 'problems' ? 'yellow' : 'red',
          oneLine(`${nameOf({ stage, clusterName })}: ${reason}`),
        ),
        '\n',
      ],
    ),
  );
  const lines = problems.flatMap(problemLines);
  return [
    painted('bold', isoSeconds(Date.parse(at))),
    '\n\n',
    tableText(head, clusters.map(rowOf), view),
    ...(lines.length > 0 ? ['\n', ...lines] : []),
    ...(reasons.length > 0 ? ['\n', ...reasons] : []),
  ];
}

const nameOf = ({ stage, clusterName }: Pick<ClusterStatus, 'stage' | 'clusterName'>): string =>
  clusterName ?? `stage ${stage}`;

function rowOf({ stage, clusterName, state, report }: ClusterStatus): readonly string[] {
  if (report === null) return [clusterName ?? '-', stage, '-', '-', '-', '-', '-', state];
  const { groups, leaving, joining, problems } = report;
  const instances = groups.reduce((sum, group) => sum + group.instances, 0);
  const counts = [groups.length, instances, leaving.length, joining.length, problems.length];
  return [clusterName ?? '-', stage, ...counts.map(String), state];
}

function problemLines(problem: ProblemOfCluster): readonly Text[] {
  const { subject, message, command, severity } = problem;
  const line = `${nameOf(problem)}: ${subject}: ${message}`;
  return [
    painted(severity === 'critical' ? 'red' : 'yellow', oneLine(line)),
    '\n',
    ...(command === null ? [] : [`    ${oneLine(command)}\n`]),
  ];
}
