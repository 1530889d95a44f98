import { isoSeconds } from '../../shared/base/iso-seconds.ts';
import type { JoiningLine, LeavingLine } from '../../shared/capacity/pass-lines.ts';
import { describePause } from '../../shared/lifecycle/pause.ts';
import { noManagedGroup } from '../auto-scaling/no-managed-group.ts';
import { durationText } from '../durations.ts';
import { painted, type Text } from '../output.ts';
import { oneLine } from '../plain-text.ts';
import { tableText } from '../table.ts';
import type { GroupLine, RepairLine, StatusReport } from './report.ts';

/** The report for people: leaving nodes, groups, and last what needs a person. */
export function statusText(report: StatusReport): Text {
  const name = report.clusterName === null ? '' : `cluster ${report.clusterName}, `;
  const sections = [
    leavingText(report),
    ...joiningText(report),
    ...repairText(report),
    ...groupsText(report),
    ...renewalText(report),
    ...concerns(report),
  ];
  return [painted('bold', `${name}${time(report.at)}`), '\n', ...sections.map((section) => ['\n', section])];
}

const leavingHead = ['LEAVING', 'INSTANCE', 'GROUP', 'STATE', 'CAUSE', 'SINCE', 'UNTIL', 'WAITS FOR'];

function leavingText({ leaving, missing }: StatusReport): string {
  if (leaving.length > 0) return tableText(leavingHead, leaving.map(leavingRow));
  return missing.length > 0 ? 'no node is known to leave\n' : 'no node leaves\n';
}

const leavingRow = (line: LeavingLine): readonly string[] => [
  line.node ?? '-',
  line.instanceId,
  line.autoScalingGroupName ?? '-',
  line.lifecycleState ?? '-',
  line.cause ?? '-',
  time(line.since),
  time(line.until),
  line.waitsFor,
];

const joiningText = ({ joining }: StatusReport): readonly string[] =>
  joining.length > 0 ? [tableText(['JOINING', 'GROUP', 'STATE'], joining.map(joiningRow))] : [];

const joiningRow = ({ instanceId, autoScalingGroupName, lifecycleState }: JoiningLine): readonly string[] => [
  instanceId,
  autoScalingGroupName,
  lifecycleState,
];

const repairHead = ['FAILING', 'INSTANCE', 'GROUP', 'CONDITION', 'SINCE', 'VERDICT', 'REASON'];

const repairText = ({ repairs }: StatusReport): readonly string[] =>
  repairs.length > 0 ? [tableText(repairHead, repairs.map(repairRow))] : [];

const repairRow = (line: RepairLine): readonly string[] => [
  line.node,
  line.instanceId,
  line.autoScalingGroupName,
  line.condition,
  time(line.since),
  line.verdict,
  line.reason,
];

/** A mistyped cluster and another region show as nothing at all, which must not look like health. */
function groupsText({ groups, missing, clusterName }: StatusReport): readonly string[] {
  if (groups.length > 0) return [tableText(groupHead, groups.map(groupRow))];
  if (clusterName === null || missing.some(({ what }) => what === 'Auto Scaling')) return [];
  return [`${oneLine(noManagedGroup(clusterName))}\n`];
}

const groupHead = ['GROUP', 'ROLE', 'INSTANCES', 'LEAVING', 'HOOK', 'PAUSED'];

const groupRow = (group: GroupLine): readonly string[] => [
  group.autoScalingGroupName,
  group.role,
  String(group.instances),
  String(group.leaving),
  group.hasHook ? 'yes' : 'MISSING',
  group.paused ? describePause(group.paused) : '-',
];

const renewalText = ({ oldestRenewal }: StatusReport): readonly string[] =>
  oldestRenewal
    ? [
        `oldest renewal of a mark: ${durationText(oldestRenewal.ageSeconds)} ago, on ${oneLine(oldestRenewal.node)}\n`,
      ]
    : [];

function concerns({ problems, missing }: StatusReport): readonly Text[] {
  const lines = [
    ...problems.map(({ subject, message }) => painted('yellow', oneLine(`${subject}: ${message}`))),
    ...missing.map(({ what, reason }) => painted('red', oneLine(`cannot read ${what}: ${reason}`))),
  ];
  return lines.length > 0 ? [lines.map((line) => [line, '\n'])] : [];
}

const time = (iso: string | null): string => (iso === null ? '-' : isoSeconds(Date.parse(iso)));
