import { durationText } from '../../shared/base/duration.ts';
import { isoSeconds } from '../../shared/base/iso-seconds.ts';
import type { JoiningLine, LeavingLine } from '../../shared/capacity/pass-lines.ts';
import { describePause, type Pause } from '../../shared/passes/pause.ts';
import type { Problem } from '../../shared/problems/problem.ts';
import type { ScheduledActionLine } from '../../shared/problems/scheduled-actions.ts';
import { noManagedGroup } from '../auto-scaling/no-managed-group.ts';
import { painted, type Text } from '../output.ts';
import { oneLine } from '../plain-text.ts';
import { named, sentence, type TableView, wholeView } from '../table/column.ts';
import { timeText } from '../table/relative-time.ts';
import { shortNamesOf } from '../table/short-names.ts';
import { tableText } from '../table/table.ts';
import type { GroupLine, RepairLine, StatusReport } from './report.ts';

/** The report for people: leaving nodes, groups, and problems last. */
export function statusText(report: StatusReport, view: TableView = wholeView): Text {
  const name = report.clusterName === null ? '' : `cluster ${report.clusterName}, `;
  const now = Date.parse(report.at);
  const layout: Layout = { view, time: (iso) => (iso === null ? '-' : timeText(Date.parse(iso), now, view)) };
  const sections = [
    leavingText(report, layout),
    ...joiningText(report, layout),
    ...repairText(report, layout),
    ...groupsText(report, layout),
    ...scheduledActionsText(report, layout),
    ...renewalText(report),
    ...concerns(report),
  ];
  return [painted('bold', `${name}${isoSeconds(now)}`), '\n', ...sections.map((section) => ['\n', section])];
}

interface Layout {
  readonly view: TableView;
  readonly time: (iso: string | null) => string;
}

const leavingHead = (leaving: readonly LeavingLine[]) => [
  named('LEAVING', { brief: shortNamesOf(leaving.flatMap(({ node }) => node ?? [])) }),
  'INSTANCE',
  named('GROUP', { leftOut: 3 }),
  { head: 'STATE', leftOut: 2 },
  { head: 'CAUSE', leftOut: 5 },
  { head: 'SINCE', leftOut: 4 },
  { head: 'UNTIL', leftOut: 1 },
  sentence('WAITS FOR'),
];

const untilMeaning = 'At UNTIL the pods that are left are deleted, whatever their budgets say.\n';

function leavingText({ leaving, missing }: StatusReport, { view, time }: Layout): string {
  if (leaving.length > 0)
    return `${tableText(
      leavingHead(leaving),
      leaving.map((line) => leavingRow(line, time)),
      view,
    )}${leaving.some(({ until }) => until !== null) ? untilMeaning : ''}`;
  const isUnsure = missing.some(({ what }) => what === 'Auto Scaling' || what === 'the cluster');
  return isUnsure ? 'no node is known to leave\n' : 'no node leaves\n';
}

const leavingRow = (line: LeavingLine, time: Layout['time']): readonly string[] => [
  line.node ?? '-',
  line.instanceId,
  line.autoScalingGroupName ?? '-',
  line.lifecycleState ?? '-',
  line.cause ?? '-',
  time(line.since),
  time(line.until),
  line.waitsFor,
];

const joiningHead = ['JOINING', named('GROUP'), 'STATE'];

const joiningText = ({ joining }: StatusReport, { view }: Layout): readonly string[] =>
  joining.length > 0 ? [tableText(joiningHead, joining.map(joiningRow), view)] : [];

const joiningRow = ({ instanceId, autoScalingGroupName, lifecycleState }: JoiningLine): readonly string[] => [
  instanceId,
  autoScalingGroupName,
  lifecycleState,
];

const repairHead = (repairs: readonly RepairLine[]) => [
  named('FAILING', { brief: shortNamesOf(repairs.map(({ node }) => node)) }),
  'INSTANCE',
  named('GROUP', { leftOut: 3 }),
  { head: 'CONDITION', leftOut: 1 },
  { head: 'SINCE', leftOut: 2 },
  'VERDICT',
  sentence('REASON'),
];

const repairText = ({ repairs }: StatusReport, { view, time }: Layout): readonly string[] =>
  repairs.length > 0
    ? [
        tableText(
          repairHead(repairs),
          repairs.map((line) => repairRow(line, time)),
          view,
        ),
      ]
    : [];

const repairRow = (line: RepairLine, time: Layout['time']): readonly string[] => [
  line.node,
  line.instanceId,
  line.autoScalingGroupName,
  line.condition,
  time(line.since),
  line.verdict,
  line.reason,
];

/** A mistyped cluster and another region show as nothing at all, which must not look like health. */
function groupsText({ groups, missing, clusterName }: StatusReport, layout: Layout): readonly string[] {
  const { view } = layout;
  if (groups.length > 0)
    return [
      tableText(
        groupHead,
        groups.map((group) => groupRow(group, layout)),
        view,
      ),
    ];
  if (clusterName === null || missing.some(({ what }) => what === 'Auto Scaling')) return [];
  return [`${oneLine(noManagedGroup(clusterName))}\n`];
}

const groupHead = [
  named('GROUP'),
  { head: 'ROLE', leftOut: 2 },
  'INSTANCES',
  'LEAVING',
  { head: 'HOOK', leftOut: 1 },
  sentence('PAUSED'),
];

/** On a terminal the head says that it is paused. */
function pauseText(pause: Pause, { view, time }: Layout): string {
  if (view.columns === undefined) return describePause(pause);
  const { scope, since, by } = pause;
  return [scope, ...(since ? [time(since)] : []), ...(by ? [`by ${by}`] : [])].join(', ');
}

const groupRow = (group: GroupLine, layout: Layout): readonly string[] => [
  group.autoScalingGroupName,
  group.role,
  String(group.instances),
  String(group.leaving),
  group.hasHook ? 'yes' : 'MISSING',
  group.paused ? pauseText(group.paused, layout) : '-',
];

const scheduledActionHead = [
  named('SCHEDULED ACTION'),
  named('GROUP', { leftOut: 3 }),
  'NEXT',
  { head: 'MIN', leftOut: 2 },
  { head: 'MAX', leftOut: 2 },
  { head: 'DESIRED', leftOut: 2 },
  { head: 'VERDICT', leftOut: 1 },
  sentence('REASON'),
];

const scheduledActionsText = (
  { scheduledActions }: StatusReport,
  { view, time }: Layout,
): readonly string[] =>
  scheduledActions.length > 0
    ? [
        tableText(
          scheduledActionHead,
          scheduledActions.map((line) => scheduledActionRow(line, time)),
          view,
        ),
      ]
    : [];

const scheduledActionRow = (line: ScheduledActionLine, time: Layout['time']): readonly string[] => [
  line.name,
  line.autoScalingGroupName,
  time(line.nextAt),
  sizeText(line.minSize),
  sizeText(line.maxSize),
  sizeText(line.desiredCapacity),
  line.verdict,
  line.reason === '' ? '-' : line.reason,
];

const sizeText = (size: number | null): string => (size === null ? '-' : String(size));

const renewalText = ({ oldestRenewal }: StatusReport): readonly string[] =>
  oldestRenewal
    ? [
        `oldest renewal of a mark: ${durationText(oldestRenewal.ageSeconds)} ago, on ${oneLine(oldestRenewal.node)}\n`,
      ]
    : [];

/** The problem, and its command below it as `drover doctor` prints one. */
const problemLines = ({ subject, message, command, severity }: Problem): readonly Text[] => [
  painted(severity === 'critical' ? 'red' : 'yellow', oneLine(`${subject}: ${message}`)),
  ...(command === null ? [] : [`    ${oneLine(command)}`]),
];

function concerns({ problems, missing, notLookedAt }: StatusReport): readonly Text[] {
  const lines = [
    ...problems.flatMap(problemLines),
    ...missing.map(({ what, reason }) => painted('red', oneLine(`cannot read ${what}: ${reason}`))),
    ...(notLookedAt.length > 0 ? [`not looked at: ${notLookedAt.join(', ')}`] : []),
  ];
  return lines.length > 0 ? [lines.map((line) => [line, '\n'])] : [];
}
