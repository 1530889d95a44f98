import { messageOf } from '../../shared/base/message-of.ts';
import type { Hold } from '../../shared/capacity/holds/hold.ts';
import type { HoldState } from '../../shared/capacity/holds/hold-state.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { interruptible, unlessInterrupted } from '../interruption.ts';
import { oneLine } from '../plain-text.ts';
import { ScaleApiError } from '../scale-api/api-error.ts';
import type { CreateFlags } from './create.ts';
import type { Holds } from './holds.ts';
import { holdJson } from './text.ts';

const lookEveryMilliseconds = 5000;

interface Wait {
  readonly hold: Hold;
  readonly holds: Pick<Holds, 'stateOf'>;
  readonly flags: CreateFlags;
}

/**
 * Waits until the nodes of a hold are Ready, and prints each change. What does not answer for a while is reported and asked again.
 *
 * @throws CliError `timedOut` when the given time is over, `interrupted` at Ctrl-C, and `failed` when the hold has ended before.
 */
export const waitForHold = (wait: Wait, context: CliContext): Promise<void> =>
  interruptible(context, async (interruptibly) => {
    const { hold, flags } = wait;
    const giveUpAt = flags.timeout > 0 ? context.clock.now() + flags.timeout * 1000 : Infinity;
    const warn = changesOnly((message: string) => `warning: ${oneLine(message)}\n`);
    const say = changesOnly(({ state, reason }: HoldState) =>
      flags.json ? `${JSON.stringify({ ...holdJson(hold), state, reason })}\n` : `${state}: ${reason}\n`,
    );
    for (;;) {
      const seen = await look(wait, (error) => context.stderr.write(warn(messageOf(error))));
      if (seen) context.stdout.write(say(seen));
      if (seen?.state === 'met') return;
      if (seen?.state === 'over')
        throw new CliError(`hold ${hold.name} has ended before its nodes were Ready`, exitCodes.failed);
      if (context.clock.now() >= giveUpAt)
        throw new CliError(
          `the timeout has passed${seen ? `: ${seen.reason}` : ''}; hold ${hold.name} stands`,
          exitCodes.timedOut,
        );
      await unlessInterrupted(
        context.pause(lookEveryMilliseconds),
        interruptibly,
        `hold ${hold.name} stands; drover hold end ${hold.autoScalingGroupName} ${hold.name} ends it`,
      );
    }
  });

/** Undefined where AWS, or the scale API, cannot answer at this moment. */
async function look({ hold, holds }: Wait, warn: (error: unknown) => void): Promise<HoldState | undefined> {
  try {
    return await holds.stateOf(hold);
  } catch (error) {
    if (error instanceof ScaleApiError && !error.isPassing) throw error;
    warn(error);
    return undefined;
  }
}

/** Words that are the same as the last ones are left out. */
function changesOnly<Seen>(wordsOf: (seen: Seen) => string): (seen: Seen) => string {
  let last = '';
  return (seen) => {
    const words = wordsOf(seen);
    if (words === last) return '';
    last = words;
    return words;
  };
}
