import { createAutoScaling } from '../../shared/aws/auto-scaling.ts';
import { autoScalingAccess } from '../auto-scaling/access.ts';
import { clusterOf } from '../cluster.ts';
import { type ConfirmFlags, confirmed } from '../confirm.ts';
import type { CliContext } from '../context.ts';
import { counted } from '../counted.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { interruptible } from '../interruption.ts';
import { oneLine } from '../plain-text.ts';
import type { RoomFlags } from '../room/flags.ts';
import { roomJson, roomText } from '../room/text.ts';
import { carryOutRelease, notDone, type ReleaseResult } from './carry-out.ts';
import { observeWaits } from './observe.ts';
import { type PlannedRelease, planRelease } from './plan.ts';
import { roomOfRelease } from './room.ts';
import { targetGroup } from './target-group.ts';
import { planText, releaseJson, resultLine } from './text.ts';
import { waitsOf } from './waits.ts';

export interface ReleaseFlags extends RoomFlags, ConfirmFlags {
  /** Members of etcd too. */
  readonly etcdMembers?: true;
}

/** Completes Drover's waits of an instance or of a group, after it has said what that means. */
export async function release(name: string, flags: ReleaseFlags, context: CliContext): Promise<void> {
  const access = autoScalingAccess(flags, context);
  const group = await targetGroup(access, name);
  const waits = waitsOf(group, await access.describeHooks(group.autoScalingGroupName), access);
  const cluster = clusterOf(flags, context);
  const warn = (message: string): void => context.stderr.write(`warning: ${oneLine(message)}\n`);
  const observed = await observeWaits(waits, { cluster, now: context.clock.now(), warn });
  const planned = planRelease(observed, { etcdMembers: flags.etcdMembers === true });
  if (!flags.json)
    context.stdout.write(planned.length > 0 ? planText(planned) : `${oneLine(nothingWaits(name, group))}\n`);
  if (flags.plan) {
    const room = await roomOfRelease(planned, { cluster, flags, warn }, context);
    context.stdout.write(
      flags.json
        ? releaseJson(planned.map(notDone), { done: false, room: room ? roomJson(room) : null })
        : (room ? roomText(room) : []).map((line) => `${oneLine(line)}\n`).join(''),
    );
    return;
  }
  if (!(await wanted(planned, flags, context))) {
    if (flags.json) context.stdout.write(releaseJson(planned.map(notDone), { done: false }));
    return;
  }
  const autoScaling = createAutoScaling(access);
  await interruptible(context, async (interruptibly) => {
    const results = await carryOutRelease(
      planned,
      {
        autoScaling,
        command: `drover release ${name}`,
        onResult: (result) => flags.json || context.stdout.write(resultLine(result)),
      },
      interruptibly,
    );
    if (flags.json) context.stdout.write(releaseJson(results, { done: true }));
    endIfHeld(results);
  });
}

const nothingWaits = (name: string, { autoScalingGroupName }: { readonly autoScalingGroupName: string }) =>
  name === autoScalingGroupName
    ? `no instance of ${name} waits on a lifecycle hook`
    : `${name} of ${autoScalingGroupName} waits on no lifecycle hook`;

/** Without a question if nothing can be done: a script gets the same exit code with and without `--yes`. */
async function wanted(
  planned: readonly PlannedRelease[],
  flags: ReleaseFlags,
  context: CliContext,
): Promise<boolean> {
  const count = planned.filter(({ kind }) => kind === 'complete').length;
  if (count === 0) return true;
  return await confirmed(`Release ${counted(count, 'instance')}?`, flags, context);
}

/** @throws CliError if an instance is held after all. */
function endIfHeld(results: readonly ReleaseResult[]): void {
  const held = results.filter(({ outcome }) => outcome !== 'released' && outcome !== 'ended');
  if (held.length > 0)
    throw new CliError(
      `${held.length} of ${counted(results.length, 'instance')} could not be released: ${held.map(({ wait }) => wait.instanceId).join(', ')}`,
      exitCodes.failed,
    );
}
