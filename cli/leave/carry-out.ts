import { isDeepStrictEqual } from 'node:util';
import { removeGroupTag, setGroupTag } from '../../shared/aws/group-tags.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { floorParameterOf, holdParameterOf } from '../../shared/capacity/holds/parameters.ts';
import { pauseTag } from '../../shared/passes/pause.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { removeHook } from '../hooks/remove-hook.ts';
import { endIfInterrupted, type InterruptibleContext, unlessInterrupted } from '../interruption.ts';
import type { LeaveAccess } from './access.ts';
import { bindApproval } from './approvers.ts';
import { observeGroup } from './observe.ts';
import { baseBoundsOf, type LeavePlan, planLeave, type Step, settleSeconds } from './plan.ts';

export interface CarryOutInput {
  readonly access: LeaveAccess;
  /** The identity in the tag of the pause. */
  readonly by: string;
  /** How long to wait for the waits of instances; 0: not at all. */
  readonly waitSeconds: number;
  /** The command that goes on. */
  readonly command: string;
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
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(
      `${group}: ${step.subject}: ${messageOf(error)}. ${input.command} goes on`,
      exitCodes.failed,
      error,
    );
  }
  input.onStep(group, step);
}

async function work(
  group: string,
  step: Step,
  { access, by, waitSeconds, command }: CarryOutInput,
  context: InterruptibleContext,
): Promise<void> {
  const { autoScaling, holds, schedules, cluster } = access;
  const { client, clusterName } = autoScaling;
  const pauseUntil = (time: number): Promise<void> =>
    unlessInterrupted(
      context.pause(Math.max(0, time - context.clock.now())),
      context,
      `${group} is paused and has not left; ${command} goes on`,
    );
  switch (step.kind) {
    case 'await-waits':
      return await awaitWaits(group, { access, waitSeconds, command }, context);
    case 'only-pause':
    case 'pause': {
      const since = new Date(context.clock.now()).toISOString();
      await setGroupTag(client, { autoScalingGroupName: group, ...pauseTag({ scope: 'group', since, by }) });
      if (step.kind === 'pause') await pauseUntil(context.clock.now() + settleSeconds * 1000);
      return;
    }
    case 'settle':
      return await pauseUntil(step.until);
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
      await cluster?.patchNode(step.traces.name, step.traces.patch);
      return;
    case 'approver':
      if (cluster) await bindApproval(cluster.api, step.approval);
      return;
    case 'hook': {
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

const heldBy = (group: string, instances: readonly string[], command: string): CliError =>
  new CliError(
    `${group} has not left, because an instance waits: ${instances.join(', ')}. drover resume ${group} lets Drover complete its waits, drover release ${group} ends them without a drain; then ${command} goes on`,
    exitCodes.failed,
  );

const secondsBetweenReads = 15;

/** Drover completes the waits meanwhile, because the group is not paused yet. */
async function awaitWaits(
  group: string,
  { access, waitSeconds, command }: Pick<CarryOutInput, 'access' | 'waitSeconds' | 'command'>,
  context: InterruptibleContext,
): Promise<void> {
  const end = context.clock.now() + waitSeconds * 1000;
  for (;;) {
    const { waits, ourHooks } = await observeGroup(access, group, context.clock.now());
    const ours = waits.filter(({ hooks }) => hooks.length > 0);
    if (ours.length === 0 || ourHooks.length === 0) return;
    if (context.clock.now() >= end)
      throw heldBy(
        group,
        ours.map(({ instanceId, lifecycleState }) => `${instanceId} is in ${lifecycleState}`),
        command,
      );
    await unlessInterrupted(
      context.pause(secondsBetweenReads * 1000),
      context,
      `${group} is unchanged, and instances wait; ${command} goes on`,
    );
  }
}
