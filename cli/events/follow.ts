import { messageOf } from '../../shared/base/message-of.ts';
import type { CliContext } from '../context.ts';
import { oneLine } from '../plain-text.ts';
import type { Look } from './look.ts';

export interface Follow {
  /** Reads what is new since this time. */
  readonly look: (since: number, isNew: (id: string, at: number) => boolean) => Promise<Look>;
  readonly show: (look: Look) => void;
  /** Epoch milliseconds. */
  readonly since: number;
}

const pauseMilliseconds = 5000;
/** CloudWatch Logs may show a line some time after it was written. */
const overlapMilliseconds = 120_000;

/**
 * Shows past events, and then new ones every five seconds until the process is stopped. The first read must succeed; a later one that fails is
 * reported, and the next one reads what it missed.
 */
export async function follow(
  { look, show, since }: Follow,
  { clock, pause, stderr }: Pick<CliContext, 'clock' | 'pause' | 'stderr'>,
): Promise<never> {
  const shown = new Map<string, number>();
  const lookAgain = async (from: number): Promise<void> => {
    const ids = new Map<string, number>();
    show(
      await look(from, (id, at) => {
        ids.set(id, at);
        return !shown.has(id);
      }),
    );
    for (const [id, at] of shown) if (at < from) shown.delete(id);
    for (const [id, at] of ids) shown.set(id, at);
  };
  let at = clock.now();
  let failure = '';
  await lookAgain(since);
  for (;;) {
    await pause(pauseMilliseconds);
    const now = clock.now();
    try {
      await lookAgain(Math.max(since, at - overlapMilliseconds));
      at = now;
      failure = '';
    } catch (error) {
      // An outage is one line, however long it lasts.
      if (messageOf(error) !== failure) stderr.write(`${oneLine(`${messageOf(error)}; tries again`)}\n`);
      failure = messageOf(error);
    }
  }
}
