import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { DrainPlan } from '../../shared/draining/plan-drain.ts';
import { nameOfNode } from '../../shared/nodes/node-names.ts';
import { clusterOf } from '../cluster.ts';
import type { CliContext } from '../context.ts';
import { counted } from '../counted.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { findNode } from '../find-node/find-node.ts';
import { interruptible } from '../interruption.ts';
import { jsonLine, jsonText } from '../json-text.ts';
import type { Text } from '../output.ts';
import { oneLine } from '../plain-text.ts';
import type { DrainRoom } from '../room/plan-room.ts';
import type { RoomRequest } from '../room/room-of.ts';
import { type TableView, viewOf } from '../table/column.ts';
import { type DrainRequest, drainNode } from './drain-node.ts';
import { type DrainFlags, drainOptionsOf } from './flags.ts';
import { look } from './look.ts';
import { planJson } from './plan-json.ts';
import { planSummary, planTable } from './plan-text.ts';
import { rolloutWarnings } from './plan-warnings.ts';
import { jsonProgress, type Progress, plainProgress } from './progress.ts';

/** Drains the named node, or with `--dry-run` explains what a drain would do. */
export async function drain(nodeName: string, flags: DrainFlags, context: CliContext): Promise<void> {
  const cluster = clusterOf(flags, context);
  const node = await findNode(cluster, nodeName);
  const since = context.clock.now();
  const request = {
    cluster,
    node,
    options: drainOptionsOf(flags),
    since,
    ...(flags.deadline !== undefined && { deadline: since + flags.deadline * 1000 }),
    ...(flags.timeout > 0 && { giveUpAt: since + flags.timeout * 1000 }),
  };
  if (flags.dryRun) await explain(request, flags, context);
  else await emptyNode(request, flags, context);
}

type Planned = Omit<DrainRequest, 'progress'>;

async function explain(request: Planned, flags: DrainFlags, context: CliContext): Promise<void> {
  const { stdout, stderr } = context;
  const warn = (message: string): void => stderr.write(`warning: ${oneLine(message)}\n`);
  const nodeName = nameOfNode(request.node);
  const plan = await look({
    ...request,
    nodeName,
    now: request.since,
    consistency: 'consistent',
    withBudgets: true,
    warn,
  });
  for (const warning of rolloutWarnings(plan)) warn(warning);
  const input = { plan, nodeName, cluster: request.cluster, flags, warn };
  if (flags.json) {
    const room = await roomOfPlan(input, context);
    const { roomJson } = await import('../room/text.ts');
    stdout.write(
      jsonText({ ...planJson(request.node, plan, request.deadline), room: room ? roomJson(room) : null }),
    );
  } else {
    // The verdicts do not wait for what takes longer in a large cluster.
    stdout.write(planText(request.node, plan, viewOf(stdout)));
    const room = await roomOfPlan(input, context);
    const { roomText } = await import('../room/text.ts');
    for (const line of room ? roomText(room) : []) stdout.write(`${line}\n`);
  }
  if (plan.refused.length > 0)
    throw new CliError(
      counted(plan.refused.length, 'pod refuses the drain', 'pods refuse the drain'),
      exitCodes.refused,
    );
}

interface PlanOfNode extends Pick<Planned, 'cluster'> {
  readonly plan: DrainPlan;
  readonly nodeName: string;
  readonly flags: DrainFlags;
  readonly warn: (message: string) => void;
}

/** Undefined if no pod would leave, or if what a plan needs cannot be read: the dry run is about the verdicts. */
async function roomOfPlan(
  { plan, nodeName, cluster, ...rest }: PlanOfNode,
  context: CliContext,
): Promise<DrainRoom | undefined> {
  if (plan.waitingFor.length === 0) return undefined;
  const { roomOf } = await import('../room/room-of.ts');
  const leaving: RoomRequest['leaving'] = async () => [
    { nodeName, drain: plan, pods: await cluster.listPodsOnNode(nodeName, 'cached') },
  ];
  return await roomOf({ ...rest, leaving }, context);
}

const planText = (node: Node, plan: DrainPlan, view: TableView): Text => [
  `node ${nameOfNode(node)}${node.spec?.unschedulable ? ' is cordoned already' : ' would be cordoned'}\n`,
  plan.pods.length > 0 ? planTable(plan.pods, view) : '',
  `${planSummary(plan)}\n`,
];

async function emptyNode(request: Planned, flags: DrainFlags, context: CliContext): Promise<void> {
  const { stdout, stderr } = context;
  const name = nameOfNode(request.node);
  const run = (progress: Progress): Promise<void> =>
    interruptible(context, (interruptibly) => drainNode({ ...request, progress }, interruptibly));
  if (flags.json) {
    await run(jsonProgress(stdout, (plan) => planJson(request.node, plan, request.deadline)));
    stdout.write(jsonLine({ event: 'drained', node: name }));
    return;
  }
  if (stdout.isTerminal) await live(name, run);
  else await run(plainProgress(stdout, stderr));
  stdout.write(`node ${name} is drained\n`);
}

/** The renderer is loaded only for a terminal: it takes longer than the rest of the command. */
async function live(nodeName: string, run: (progress: Progress) => Promise<void>): Promise<void> {
  const { watchLive } = await import('./live.ts');
  await watchLive(nodeName, run);
}
