import { planNodes } from '../../shared/capacity/plan/plan.ts';
import type { PlannedPod } from '../../shared/capacity/plan/types.ts';
import type { CliContext } from '../context.ts';
import { counted } from '../counted.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { jsonText } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';
import { viewOf } from '../table/column.ts';
import { reasonsOfPod } from './explain.ts';
import type { PlanFlags } from './flags.ts';
import { otherNodes } from './group-rows.ts';
import { planJson } from './json.ts';
import { notesOf } from './notes.ts';
import { readRoom, readRoomGroups, withoutGroups } from './read-room.ts';
import { type AskedPods, pendingName, reportOf } from './report.ts';
import { readSubjects } from './subjects.ts';
import { misfitText, planText } from './text.ts';

/** Plans pods that do not exist yet, or those that are Pending now. */
export async function plan(flags: PlanFlags, context: CliContext): Promise<void> {
  const { stdout, stderr } = context;
  const asks = readSubjects(flags);
  const from = flags.groups ? await readRoomGroups(flags, context) : withoutGroups;
  const chosen = flags.group === undefined ? {} : { chosen: [...new Set(flags.group)] };
  const room = await reading(context, () => readRoom({ from, ...chosen }, flags, context));
  const { input } = room;
  for (const warning of input.warnings) stderr.write(`warning: ${oneLine(warning)}\n`);

  const asked = asks ?? [pendingNow(input.pending)];
  const pending = asks !== undefined && flags.pending ? input.pending : [];
  const leftOut = asks === undefined || flags.pending ? 0 : input.pending.length;
  const pods = [...pending, ...asked.flatMap((one) => one.pods)];
  if (stderr.isTerminal && pods.length * input.nodes.length > manyPlacements)
    stderr.write(`placing ${counted(pods.length, 'pod')} on ${counted(input.nodes.length, 'node')}\n`);
  const planned = planNodes({ nodes: input.nodes, groups: input.groups, pods });
  const report = reportOf({ plan: planned, asked, pending, ...room });
  const notes = notesOf({ input, flags, leftOut });
  const { cluster } = flags;

  if (flags.explain !== undefined) {
    const explained = reasonsOfPod(flags.explain, planned, { input, report });
    stdout.write(flags.json ? jsonText(explained) : `${explained.lines.join('\n')}\n`);
  } else
    stdout.write(
      flags.json
        ? jsonText(planJson(report, { notes, warnings: input.warnings, cluster }))
        : planText(report, { nodes: otherNodes(input, room.groups), notes, cluster }, viewOf(stdout)),
    );
  if (!report.fits) throw new CliError(misfitText(report), exitCodes.failed);
}

const pendingNow = (pods: readonly PlannedPod[]): AskedPods => ({
  name: pendingName,
  total: pods.length,
  running: 0,
  pods,
});

/** Says on a terminal what takes long. */
async function reading<T>({ clock, stderr }: CliContext, read: () => Promise<T>): Promise<T> {
  if (!stderr.isTerminal) return await read();
  const timer = clock.after(2000, () => stderr.write('reading the nodes and pods of the cluster\n'));
  try {
    return await read();
  } finally {
    timer.cancel();
  }
}

/** So many checks of a node take longer than a second. */
const manyPlacements = 2_000_000;
