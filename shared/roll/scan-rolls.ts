import type { Clock } from '../base/clock.ts';
import type { SendBatch } from '../passes/queue.ts';
import type { RollContext } from './context.ts';
import { rollMessage } from './message.ts';
import { isLive } from './pass.ts';
import { rollPathsOf } from './roll.ts';
import { rollsIn } from './rolls-in.ts';

/** The result of a scan, for an operator who invokes the function by hand. */
export interface RollScan {
  /** The rolls that have not ended. */
  readonly rolls: readonly string[];
  /** The parameters below the path of rolls that are not rolls of this version, with the reasons. */
  readonly problems: readonly string[];
  readonly sent: boolean;
}

/** Without a roll a pass runs this often, for marks of rolls whose parameters are gone. */
const tidyEveryMinutes = 10;

/**
 * Looks for rolls, and sends a message for their pass. Without a roll it costs one call of Parameter Store.
 *
 * @throws if Parameter Store cannot be read, or the queue does not take the message.
 */
export async function scanRolls({
  parameters,
  clock,
  send,
  clusterName,
}: Pick<RollContext, 'parameters'> & {
  readonly clock: Clock;
  readonly send: SendBatch;
  readonly clusterName: string;
}): Promise<RollScan> {
  const paths = rollPathsOf(clusterName);
  const stored = rollsIn(await parameters.listBelow(paths.rolls), paths);
  const rolls = stored.filter(isLive).map(({ name }) => name);
  const problems = stored.flatMap(({ name, ask }) =>
    ask.kind === 'unreadable' ? `${name}: ${ask.why}` : [],
  );
  const now = clock.now();
  if (rolls.length === 0 && Math.floor(now / 60_000) % tidyEveryMinutes !== 0)
    return { rolls, problems, sent: false };
  const [failure] = await send([rollMessage({ cause: 'looked', noticedAt: new Date(now).toISOString() })]);
  if (failure) throw failure.error;
  return { rolls, problems, sent: true };
}
