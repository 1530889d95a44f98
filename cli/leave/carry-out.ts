import { isDeepStrictEqual } from 'node:util';
import { removeGroupTag } from '../../shared/aws/group-tags.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { floorParameterOf, holdParameterOf } from '../../shared/capacity/holds/parameters.ts';
import { isConflict, isNotFound } from '../../shared/kubernetes/status.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { removeHook } from '../hooks/remove-hook.ts';
import { endIfInterrupted, type InterruptibleContext } from '../interruption.ts';
import type { LeaveAccess } from './access.ts';
import { bindApproval } from './approvers.ts';
import type { NodeTraces } from './node-traces.ts';
import { observeGroup } from './observe.ts';
import { baseBoundsOf, type LeavePlan, planLeave, type Step } from './plan.ts';
import {
  awaitLateWaits,
  awaitWaits,
  heldBy,
  pauseGroup,
  pauseUntil,
  setPause,
  type WaitsInput,
} from './waits.ts';

export interface CarryOutInput extends WaitsInput {
  readonly onStep: (autoScalingGroupName: string, step: Step) => void;
}

/** Steps and what came back meanwhile. A pass that had begun before the pause may mark a Node once more. */
const mostRounds = 4;

/**
 * Takes the steps of a plan, reads the group again, and goes on until nothing is left. Each step may be the last one of a process that is
 * killed: the next run plans from what it finds.
 *
 * @throws CliError if a step fails, or if something is left after all.
 */
export async function carryOutLeave(
  plan: LeavePlan,
  input: CarryOutInput,
  context: InterruptibleContext,
): Promise<void> {
  const { autoScalingGroupName } = plan;
  let current = plan;
  for (let round = 0; round < mostRounds && current.steps.length > 0; round += 1) {
    for (const step of current.steps) await takeStep(autoScalingGroupName, step, input, context);
    const next = planLeave(await observeGroup(input.access, autoScalingGroupName, context.clock.now()));
    // Auto Scaling's description may be seconds old.
    if (isDeepStrictEqual(next.steps, current.steps)) await context.pause(1000);
    current = next;
  }
  if (current.steps.length > 0)
    throw new CliError(
      `something is left on ${autoScalingGroupName}: ${current.steps.map(({ subject }) => subject).join(', ')}. ${input.command} goes on`,
      exitCodes.failed,
    );
}

/** @throws CliError that names the step, and how to go on. */
export async function takeStep(
  group: string,
  step: Step,
  input: CarryOutInput,
  context: InterruptibleContext,
): Promise<void> {
  endIfInterrupted(context, `${group} has not left; ${input.command} goes on`);
  try {
    await work(group, step, input, context);
    input.onStep(group, step);
    if (step.kind === 'pause' || step.kind === 'settle') await awaitLateWaits(group, input, context);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(
      `${group}: ${step.subject}: ${messageOf(error)}. ${input.command} goes on`,
      exitCodes.failed,
      error,
    );
  }
}

async function work(
  group: string,
  step: Step,
  input: CarryOutInput,
  context: InterruptibleContext,
): Promise<void> {
  const { access, command } = input;
  const { autoScaling, holds, schedules, cluster } = access;
  const { client, clusterName } = autoScaling;
  switch (step.kind) {
    case 'await-waits':
      return await awaitWaits(group, input, context);
    case 'only-pause':
      return await setPause(group, input, context);
    case 'pause':
      return await pauseGroup(group, input, context);
    case 'settle':
      return await pauseUntil(group, step.until, command, context);
    case 'schedule':
      await schedules.remove(step.name);
      return;
    case 'hold':
      return await holds.parameters.remove(
        holdParameterOf(holds.paths, { autoScalingGroupName: group, name: step.name }),
      );
    case 'bounds': {
      // Of the group as it is now: the desired capacity may have grown since the plan.
      const described = await holds.groups.describeGroup(group);
      const bounds = described ? baseBoundsOf(described, step.record) : {};
      if (described && Object.keys(bounds).length > 0) await holds.groups.setBounds(described, bounds);
      return await holds.parameters.remove(floorParameterOf(holds.paths, group));
    }
    case 'node':
      return await unmark(cluster, step.traces);
    case 'approver':
      if (cluster) await bindApproval(cluster.api, step.approval);
      return;
    case 'hook': {
      await awaitLateWaits(group, input, context, 'any');
      const removal = await removeHook(client, {
        autoScalingGroupName: group,
        lifecycleHookName: step.lifecycleHookName,
        clusterName,
        isDryRun: false,
      });
      if (removal.kind === 'waiting') throw heldBy(group, removal.instances, command);
      return;
    }
    case 'tags':
      for (const key of lastRole(step.keys))
        await removeGroupTag(client, { autoScalingGroupName: group, key });
  }
}

/** The role and the pause go last: while one of them is there, a run that is killed leaves a group that Drover leaves alone. */
const lastRole = (keys: readonly string[]): readonly string[] => {
  const last = ['drover.dev/role', 'drover.dev/paused'];
  return [...keys.filter((key) => !last.includes(key)), ...last.filter((key) => keys.includes(key))];
};

/** A Node that was deleted or replaced since the plan has nothing of these traces; the next round reads it. */
async function unmark(cluster: LeaveAccess['cluster'], { name, patch }: NodeTraces): Promise<void> {
  try {
    await cluster?.patchNode(name, patch);
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
