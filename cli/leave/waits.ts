import { removeGroupTag, setGroupTag } from '../../shared/aws/group-tags.ts';
import { pauseOf, pauseTag } from '../../shared/passes/pause.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { type InterruptibleContext, unlessInterrupted } from '../interruption.ts';
import type { InstanceWait } from '../release/waits.ts';
import type { LeaveAccess } from './access.ts';
import { observeWaits } from './observe.ts';
import { settleSeconds } from './plan.ts';

export interface WaitsInput {
  readonly access: LeaveAccess;
  /** The identity in the tag of the pause. */
  readonly by: string;
  /** How long to wait for the waits of instances; 0: not at all. */
  readonly waitSeconds: number;
  /** The command that goes on. */
  readonly command: string;
}

/** `i-0123 is in Terminating:Wait`. */
const wordsOf = ({ instanceId, lifecycleState }: InstanceWait): string =>
  `${instanceId} is in ${lifecycleState}`;

/** `ours`: what a hook of Drover may hold. `any`: also what waits on other hooks, because then no hook is deleted. */
type Which = 'ours' | 'any';

const heldOf = (waits: readonly InstanceWait[], which: Which): readonly string[] =>
  waits.filter(({ hooks }) => which === 'any' || hooks.length > 0).map(wordsOf);

export const heldBy = (group: string, instances: readonly string[], command: string): CliError =>
  new CliError(
    `${group} has not left, because an instance waits: ${instances.join(', ')}. drover resume ${group} lets Drover complete its waits, drover release ${group} ends them without a drain; then ${command} goes on`,
    exitCodes.failed,
  );

const secondsBetweenReads = 15;

/**
 * Waits until Drover has completed all waits of the group, while it is not paused.
 *
 * @throws CliError once the time is over and an instance waits.
 */
export async function awaitWaits(
  group: string,
  { access, waitSeconds, command }: WaitsInput,
  context: InterruptibleContext,
  which: Which = 'ours',
): Promise<void> {
  const end = context.clock.now() + waitSeconds * 1000;
  for (;;) {
    const held = heldOf((await observeWaits(access, group)).waits, which);
    if (held.length === 0) return;
    if (context.clock.now() >= end) throw heldBy(group, held, command);
    await unlessInterrupted(
      context.pause(secondsBetweenReads * 1000),
      context,
      `${group} is unchanged, and instances wait; ${command} goes on`,
    );
  }
}

/** Sets the tag of the pause. */
export async function setPause(
  group: string,
  { access, by }: WaitsInput,
  { clock }: InterruptibleContext,
): Promise<void> {
  const since = new Date(clock.now()).toISOString();
  await setGroupTag(access.autoScaling.client, {
    autoScalingGroupName: group,
    ...pauseTag({ scope: 'group', since, by }),
  });
}

/** Sets the pause, and waits until every pass has seen it. */
export async function pauseGroup(
  group: string,
  input: WaitsInput,
  context: InterruptibleContext,
): Promise<void> {
  await setPause(group, input, context);
  await pauseUntil(group, context.clock.now() + settleSeconds * 1000, input.command, context);
}

/** @throws CliError as soon as Ctrl-C is pressed */
export const pauseUntil = (
  group: string,
  time: number,
  command: string,
  context: InterruptibleContext,
): Promise<void> =>
  unlessInterrupted(
    context.pause(Math.max(0, time - context.clock.now())),
    context,
    `${group} is paused and has not left; ${command} goes on`,
  );

/**
 * Waits for instances that have begun to wait since the read before the pause: ends the pause, lets Drover complete the waits, and pauses
 * again, until nothing waits on a group that is paused. A pause of another operator stays.
 *
 * @throws CliError once the time is over and an instance waits.
 */
export async function awaitLateWaits(
  group: string,
  input: WaitsInput,
  context: InterruptibleContext,
  which: Which = 'ours',
): Promise<void> {
  const { access, by, waitSeconds, command } = input;
  const end = context.clock.now() + waitSeconds * 1000;
  for (;;) {
    const { waits, tags } = await observeWaits(access, group);
    const held = heldOf(waits, which);
    if (held.length === 0) return;
    const left = (end - context.clock.now()) / 1000;
    if (left <= 0) throw heldBy(group, held, command);
    // As the tag has it: its characters are limited.
    const { key, value } = pauseTag({ scope: 'group', since: '', by });
    const isOurs = pauseOf(tags)?.by === pauseOf({ [key]: value })?.by;
    if (isOurs) await removeGroupTag(access.autoScaling.client, { autoScalingGroupName: group, key });
    await awaitWaits(group, { ...input, waitSeconds: left }, context, which);
    if (isOurs) await pauseGroup(group, input, context);
  }
}
