import { styleText } from 'node:util';
import { durationText } from '../durations.ts';
import { isoSeconds } from '../leaving/hold.ts';
import { pausedText } from '../pausing/text.ts';
import { plainText } from '../plain-text.ts';
import { tableText } from '../table.ts';
import type { GroupLine, LeavingLine, StatusReport } from './report.ts';

type Paint = (colour: 'bold' | 'red' | 'yellow', text: string) => string;

const painted: Paint = (colour, text) => styleText(colour, text, { validateStream: false });
const unpainted: Paint = (_, text) => text;

/** The report for people: what leaves, the groups, and last what needs somebody. */
export function statusText(report: StatusReport, { colour }: { readonly colour: boolean }): string {
  const paint = colour ? painted : unpainted;
  const name = report.clusterName === null ? '' : `cluster ${report.clusterName}, `;
  return [
    `${paint('bold', `${name}${time(report.at)}`)}\n`,
    leavingText(report),
    ...(report.groups.length > 0 ? [tableText(groupHead, report.groups.map(groupRow))] : []),
    ...signText(report),
    ...concerns(report, paint),
  ].join('\n');
}

const leavingHead = ['LEAVING', 'INSTANCE', 'GROUP', 'STATE', 'CAUSE', 'SINCE', 'UNTIL', 'WAITS FOR'];

function leavingText({ leaving, missing }: StatusReport): string {
  if (leaving.length > 0) return tableText(leavingHead, leaving.map(leavingRow));
  return missing.length > 0 ? 'nothing is seen to leave\n' : 'nothing leaves\n';
}

const leavingRow = (line: LeavingLine): readonly string[] =>
  [
    line.node ?? '-',
    line.instanceId,
    line.autoScalingGroupName ?? '-',
    line.lifecycleState ?? '-',
    line.cause ?? '-',
    time(line.since),
    time(line.until),
    line.waitsFor,
  ].map(plainText);

const groupHead = ['GROUP', 'ROLE', 'INSTANCES', 'LEAVING', 'HOOK', 'PAUSED'];

const groupRow = (group: GroupLine): readonly string[] =>
  [
    group.autoScalingGroupName,
    group.role,
    String(group.instances),
    String(group.leaving),
    group.hasLeavingHook ? 'yes' : 'MISSING',
    group.paused ? pausedText(group.paused) : '-',
  ].map(plainText);

const signText = ({ oldestSign }: StatusReport): readonly string[] =>
  oldestSign
    ? [
        `oldest sign of a pass: ${durationText(oldestSign.ageSeconds)} ago, on ${plainText(oldestSign.node)}\n`,
      ]
    : [];

function concerns({ problems, missing }: StatusReport, paint: Paint): readonly string[] {
  const lines = [
    ...problems.map(({ subject, message }) => paint('yellow', plainText(`${subject}: ${message}`))),
    ...missing.map(({ what, reason }) => paint('red', plainText(`not seen: ${what}: ${reason}`))),
  ];
  return lines.length > 0 ? [`${lines.join('\n')}\n`] : [];
}

const time = (iso: string | null): string => (iso === null ? '-' : isoSeconds(Date.parse(iso)));
