import type * as z from 'zod/mini';
import { durationText } from '../../shared/base/duration.ts';
import type { ExpectedTime } from '../../shared/roll/expected-time.ts';
import type { Finding } from '../../shared/roll/group-findings.ts';
import type { GroupSummary, Preflight, PreflightInstance } from '../../shared/roll/preflight.ts';
import type { Roll } from '../../shared/roll/roll.ts';
import { parseWindow, windowAt } from '../../shared/roll/window.ts';
import type { begunRoll } from '../../shared/scale-api/schemas/answers/roll.ts';
import { counted } from '../counted.ts';
import { painted, type Text } from '../output.ts';
import { oneLine } from '../plain-text.ts';
import { named, sentence, type TableView } from '../table/column.ts';
import { shortNamesOf } from '../table/short-names.ts';
import { tableText } from '../table/table.ts';

type ApiPreflight = NonNullable<z.infer<typeof begunRoll>['preflight']>;

type OldNode = ApiPreflight['old'][number] | PreflightInstance;

type Shown = ApiPreflight['findings'][number] | Finding;

/** What a roll meets, for people: the groups, the old nodes, and all that holds, stops or costs something. */
export function preflightText(
  { groups, findings, old, leftOut, slowBudgets }: Preflight,
  roll: Roll,
  view: TableView,
): Text {
  const blocked = old.filter((one) => one.blocked.length > 0);
  const notes = notesOf({ old, slowBudgets, groups }, roll);
  return [
    groupTable(groups, view),
    oldNodes(old, view),
    section(blocked.length > 0, ['Pods that cannot move:\n', blocked.map(blockedText)]),
    leftOutNodes(leftOut, view),
    section(findings.length > 0, findings.map(findingText)),
    noteLines(notes),
  ];
}

/** The same of a preflight by the scale API, which may not read pods. */
export function unreadPodsText(
  { groups, findings, old, leftOut }: ApiPreflight,
  { window, now }: { readonly window: string | undefined; readonly now: number },
  view: TableView,
): Text {
  return [
    tableText(
      [named('GROUP'), 'INSTANCES', 'OLD', 'LEFT OUT', 'TIME'],
      groups.map((group) => [
        group.autoScalingGroupName,
        String(group.instances),
        String(group.old),
        String(group.leftOut),
        group.old === 0
          ? '-'
          : group.expectedSeconds === undefined
            ? 'unknown'
            : `about ${minutesText(group.expectedSeconds)}`,
      ]),
      view,
    ),
    oldNodes(old, view),
    leftOutNodes(leftOut, view),
    section(findings.length > 0, findings.map(findingText)),
    noteLines([
      ...windowNotes(window, now),
      ...(old.length === 0
        ? []
        : ['the first pass of the roll looks at the pods, and stops it with the list if some cannot move']),
    ]),
  ];
}

const oldNodes = (old: readonly OldNode[], view: TableView): Text =>
  section(
    old.length > 0,
    tableText(
      [
        named('OLD NODE', { brief: shortNamesOf(old.map(nameOf)) }),
        named('GROUP'),
        { head: 'INSTANCE', leftOut: 1 },
        sentence('BECAUSE'),
      ],
      old.map((one) => [nameOf(one), one.autoScalingGroupName, one.instanceId, one.why]),
      view,
    ),
  );

const leftOutNodes = (leftOut: Preflight['leftOut'], view: TableView): Text =>
  section(
    leftOut.length > 0,
    tableText(
      ['LEFT OUT', 'GROUP', sentence('BECAUSE')],
      leftOut.map(({ instanceId, autoScalingGroupName, why }) => [instanceId, autoScalingGroupName, why]),
      view,
    ),
  );

const noteLines = (notes: readonly string[]): Text =>
  section(
    notes.length > 0,
    notes.map((note) => `note: ${oneLine(note)}\n`),
  );

const section = (isThere: boolean, text: Text): Text => (isThere ? ['\n', text] : '');

/** Whole, in lines that a terminal breaks: the reasons are what the operator needs. */
const blockedText = (one: PreflightInstance): Text => [
  `  ${nameOf(one)}\n`,
  one.blocked.map(({ pod, why }) => `    ${oneLine(`${pod}: ${why}`)}\n`),
];

const nameOf = ({ nodeName, instanceId }: OldNode): string => nodeName ?? instanceId;

const groupTable = (groups: readonly GroupSummary[], view: TableView): string =>
  tableText(
    [named('GROUP'), 'INSTANCES', 'OLD', 'BLOCKED', 'LEFT OUT', 'TIME'],
    groups.map((group) => [
      group.autoScalingGroupName,
      String(group.instances),
      String(group.old),
      String(group.blocked),
      String(group.leftOut),
      group.old === 0 ? '-' : timeText(group.expected),
    ]),
    view,
  );

function timeText(expected: ExpectedTime | undefined): string {
  if (expected === undefined) return 'unknown';
  const { seconds, terminationSeconds } = expected;
  const time = minutesText(seconds);
  return terminationSeconds === undefined ? `${time} and the drains` : `about ${time}`;
}

/** Minutes are as exact as the past is. */
const minutesText = (seconds: number): string => durationText(Math.max(60, Math.round(seconds / 60) * 60));

const findingText = ({ severity, subject, message, command }: Shown): Text => [
  painted(severity === 'refuses' ? 'red' : 'yellow', severity === 'refuses' ? 'refused' : 'warning'),
  oneLine(`: ${subject}: ${message}`),
  command === undefined ? '\n' : `\n  ${oneLine(command)}\n`,
];

/** Undefined while the window is open. */
function nextOpening(text: string, now: number): number | undefined {
  const reading = parseWindow(text);
  const state = reading.kind === 'window' ? windowAt(reading.window, now) : undefined;
  return state === undefined || state.isOpen ? undefined : state.opensAt;
}

function windowNotes(window: string | undefined, now: number): readonly string[] {
  const opensAt = window === undefined ? undefined : nextOpening(window, now);
  return opensAt === undefined
    ? []
    : [
        `the window ${window} is closed now: the first node is replaced from ${new Date(opensAt).toISOString()} on`,
      ];
}

function notesOf(
  { old, slowBudgets, groups }: Pick<Preflight, 'old' | 'slowBudgets' | 'groups'>,
  { surge, maxUnavailable, window, startedAt }: Roll,
): readonly string[] {
  const losing = old.reduce((sum, { losingLocalData }) => sum + losingLocalData, 0);
  const lost = old.flatMap((one) => one.lost);
  const times = groups.flatMap(({ expected, autoScalingGroupName }) =>
    expected === undefined ? [] : [{ ...expected, autoScalingGroupName }],
  );
  return [
    ...windowNotes(window, startedAt),
    ...slowBudgets.map(
      ({ budget, oldNodes }) =>
        `budget ${budget} lets one pod go at a time, and ${oldNodes} old nodes have pods of it${surge + maxUnavailable > 1 ? ': they are drained one after the other' : ''}`,
    ),
    ...(losing > 0
      ? [
          `${counted(losing, 'pod loses', 'pods lose')} the data of ${losing === 1 ? 'its' : 'their'} emptyDir volumes`,
        ]
      : []),
    ...(lost.length > 0 ? [`no controller recreates ${lost.join(', ')}`] : []),
    ...times.map(
      ({ autoScalingGroupName, launchSeconds, terminationSeconds }) =>
        `a node of ${autoScalingGroupName} took ${durationText(launchSeconds)} to be Ready${terminationSeconds === undefined ? '' : `, and ${durationText(terminationSeconds)} to leave`} (median); budgets that hold pods come on top`,
    ),
  ];
}
