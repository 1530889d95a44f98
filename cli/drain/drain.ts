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
import { type TableView, viewOf } from '../table/column.ts';
import { type DrainRequest, drainNode } from './drain-node.ts';
import { type DrainFlags, drainOptionsOf } from './flags.ts';
import { look } from './look.ts';
import { planJson } from './plan-json.ts';
import { planSummary, planTable } from './plan-text.ts';
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

async function explain(request: Planned, flags: DrainFlags, { stdout, stderr }: CliContext): Promise<void> {
  const plan = await look({
    ...request,
    nodeName: nameOfNode(request.node),
    now: request.since,
    consistency: 'consistent',
    withBudgets: true,
    warn: (message) => stderr.write(`warning: ${oneLine(message)}\n`),
  });
  stdout.write(
    flags.json
      ? jsonText(planJson(request.node, plan, request.deadline))
      : planText(request.node, plan, viewOf(stdout)),
  );
  if (plan.refused.length > 0)
    throw new CliError(
      counted(plan.refused.length, 'pod refuses the drain', 'pods refuse the drain'),
      exitCodes.refused,
    );
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
