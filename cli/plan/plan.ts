import type { ManifestSurroundings } from '../../shared/capacity/manifests/workload.ts';
import { planNodes } from '../../shared/capacity/plan/plan.ts';
import type { PlanInput } from '../../shared/capacity/plan-input/plan-input.ts';
import type { CliContext } from '../context.ts';
import { counted } from '../counted.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { jsonText } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';
import { viewOf } from '../table/column.ts';
import { type AskedAndPending, askedPods } from './asked.ts';
import { reasonsOfPod } from './explain.ts';
import type { PlanFlags } from './flags.ts';
import { otherNodes } from './group-rows.ts';
import { planJson } from './json.ts';
import { notesOf } from './notes.ts';
import { readRoom, readRoomGroups, withoutGroups } from './read-room.ts';
import { pendingName, reportOf } from './report.ts';
import { readSubjects, type Subjects } from './subjects.ts';
import { misfitText, planText } from './text.ts';

/** Plans pods that do not exist yet, or those that are Pending now. */
export async function plan(names: readonly string[], flags: PlanFlags, context: CliContext): Promise<void> {
  const { stdout, stderr } = context;
  const subjects = await readSubjects(names, flags, context);
  const from = flags.groups ? await readRoomGroups(flags, context) : withoutGroups;
  const chosen = flags.group === undefined ? {} : { chosen: [...new Set(flags.group)] };
  const room = await reading(context, () =>
    readRoom({ from, ...chosen, ...manifestsOf(subjects) }, flags, context),
  );
  const { input } = room;
  for (const warning of input.warnings) stderr.write(`warning: ${oneLine(warning)}\n`);

  const { asked, pending: others } = podsOf(subjects, input);
  const pending = flags.pending ? others : [];
  const pods = [...pending, ...asked.flatMap((one) => one.pods)];
  if (stderr.isTerminal && pods.length * input.nodes.length > manyPlacements)
    stderr.write(`placing ${counted(pods.length, 'pod')} on ${counted(input.nodes.length, 'node')}\n`);
  const planned = planNodes({ nodes: input.nodes, groups: input.groups, pods });
  const report = reportOf({ plan: planned, asked, pending, ...room });
  const notes = notesOf({ input, flags, leftOut: others.length - pending.length, ...subjects });
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

/** The claims of StatefulSets exist once their pods do. */
const manifestsOf = (subjects: Subjects | undefined): { readonly manifests?: ManifestSurroundings } => {
  if (subjects === undefined) return {};
  const { workloads, surroundings = noManifests } = subjects;
  const claims = [...surroundings.claims, ...workloads.flatMap((workload) => workload.claims)];
  return { manifests: { ...surroundings, claims } };
};

const noManifests: ManifestSurroundings = { claims: [], storageClasses: [], namespaces: [], daemonSets: [] };

function podsOf(subjects: Subjects | undefined, input: PlanInput): AskedAndPending {
  if (subjects !== undefined) return askedPods(subjects.workloads, input);
  const { pending: pods } = input;
  return { asked: [{ name: pendingName, total: pods.length, running: 0, pods }], pending: [] };
}

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
