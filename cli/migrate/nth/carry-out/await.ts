import type { LifecycleHook } from '../../../../shared/groups/group.ts';
import type { AdoptAccess } from '../../../adopt/access.ts';
import { CliError, exitCodes } from '../../../exit-codes.ts';
import { hostOf } from '../../../host.ts';
import { type InterruptibleContext, unlessInterrupted } from '../../../interruption.ts';
import { markTagKey } from '../record.ts';
import { deleteGroupTags, setGroupTags } from './changes.ts';
import { waitingIn } from './members.ts';

/** Auto Scaling's description may be seconds old: an instance that had begun to leave before a hook shows by then. */
const settleSeconds = 15;

const secondsBetweenReads = 15;

interface Awaited {
  readonly group: string;
  readonly transitions: readonly LifecycleHook['transition'][];
  readonly state: string;
}

interface Waiting {
  readonly access: Pick<AdoptAccess, 'autoScaling' | 'ec2'>;
  readonly waitSeconds: number;
  /** The command that goes on. */
  readonly command: string;
}

/** @throws CliError once the time is over and a hook holds an instance. */
export const awaitNone = (awaited: Awaited, waiting: Waiting, context: InterruptibleContext): Promise<void> =>
  untilNone(awaited, { ...waiting, mark: undefined }, context);

/**
 * Waits until no hook holds an instance in a description that is not older than this call: an older one may hide an instance that waits only on
 * the hook that is deleted next. A tag, set first, marks such a description. The next run replaces and deletes one that a failed run has left.
 *
 * @throws CliError once the time is over and a hook holds an instance, or only older descriptions came.
 */
export async function awaitNoneSinceNow(
  awaited: Awaited,
  waiting: Waiting,
  context: InterruptibleContext,
): Promise<void> {
  const { group, state } = awaited;
  const { client } = waiting.access.autoScaling;
  const mark = Buffer.from(hostOf(context, context.environment).randomBytes(8)).toString('hex');
  await setMark(group, mark, waiting);
  await unlessInterrupted(context.pause(settleSeconds * 1000), context, state);
  await untilNone(awaited, { ...waiting, mark }, context);
  await deleteGroupTags(client, group, [markTagKey]);
}

const setMark = (group: string, value: string, { access }: Pick<Waiting, 'access'>): Promise<void> =>
  setGroupTags(access.autoScaling.client, group, { [markTagKey]: { value, propagates: false } });

async function untilNone(
  { group, transitions, state }: Awaited,
  { access, waitSeconds, command, mark }: Waiting & { readonly mark: string | undefined },
  context: InterruptibleContext,
): Promise<void> {
  const end = context.clock.now() + waitSeconds * 1000;
  for (;;) {
    let { held, tags } = await waitingIn(group, transitions, access);
    if (mark !== undefined && tags[markTagKey] !== mark) {
      // Another run may have set its own: read again at once, so that the two do not take turns for ever.
      await setMark(group, mark, { access });
      ({ held, tags } = await waitingIn(group, transitions, access));
    }
    const isOld = mark !== undefined && tags[markTagKey] !== mark;
    if (held.length === 0 && !isOld) return;
    if (context.clock.now() >= end) throw tooLate({ state, held, command });
    const said = `${state}, and instances wait; ${command} goes on`;
    await unlessInterrupted(context.pause(secondsBetweenReads * 1000), context, said);
  }
}

const tooLate = ({
  state,
  held,
  command,
}: Pick<Awaited, 'state'> & Pick<Waiting, 'command'> & { readonly held: readonly string[] }): CliError =>
  new CliError(
    held.length > 0
      ? `${state}, because an instance waits: ${held.join(', ')}. ${command} goes on once it does not, or give a longer --wait`
      : `${state}, because Auto Scaling still describes the group as it was before: an instance may wait that it does not show. ${command} goes on, or give a longer --wait`,
    exitCodes.failed,
  );
