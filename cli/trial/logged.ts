import type { FunctionName } from '../events/functions.ts';
import type { LoggedEnd } from './access.ts';
import type { Trial } from './trial-state.ts';
import { pauseFor, type WaitContext } from './wait.ts';

/** CloudWatch Logs has a line some seconds after it was written. */
const lateSeconds = 60;
/** The clock of this machine may be fast. No instance id comes twice. */
const earlierMilliseconds = 3_600_000;

/** How the last pass of this function over the instance ended, by its log. */
export async function lastWords(
  { access, record }: Trial,
  { instanceId, functionName }: { readonly instanceId: string; readonly functionName: FunctionName },
  context: WaitContext,
): Promise<LoggedEnd> {
  const since = Date.parse(record().startedAt) - earlierMilliseconds;
  const endsAt = context.clock.now() + lateSeconds * 1000;
  for (;;) {
    const said = await access.lastDone(functionName, instanceId, since);
    if (said.kind !== 'silent' || context.clock.now() >= endsAt) return said;
    await pauseFor(5, context);
  }
}

/** The words of the log, for a reason: `node-leaving: ...`. */
export function wordsOf(functionName: FunctionName, said: LoggedEnd): string {
  if (said.kind === 'said') return `${functionName}: ${said.reason}`;
  return said.kind === 'silent'
    ? `the log of ${functionName} has no pass over it that ended`
    : `what ${functionName} did is not proven, because its log could not be read: ${said.why}`;
}

/** Whether the log shows that Drover has ended a wait by itself. A log that cannot be read proves neither. Pure. */
export const isDisproved = (said: LoggedEnd): boolean =>
  said.kind === 'silent' ||
  (said.kind === 'said' && !/its hook is completed|it is handed back/.test(said.reason));
