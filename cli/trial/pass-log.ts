import type { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { messageOf } from '../../shared/base/message-of.ts';
import type { FunctionName } from '../events/functions.ts';
import { lookAtLogs } from '../events/look.ts';
import type { Trial } from './trial-state.ts';
import { pauseFor, type WaitContext } from './wait.ts';

export interface PassLogQuery {
  readonly functionName: FunctionName;
  readonly instanceId: string;
  /** Epoch milliseconds. */
  readonly since: number;
}

/** The reasons of the passes over an instance that ended with `done`, the newest last; or why the log could not be read. */
export type PassLog = { readonly reasons: readonly string[] } | { readonly unreadable: string };

interface Logs {
  readonly client: CloudWatchLogsClient;
  readonly stage: () => Promise<string | undefined>;
}

export async function readPassLog(
  { client, stage }: Logs,
  { functionName, instanceId, since }: PassLogQuery,
): Promise<PassLog> {
  try {
    const serving = await stage();
    if (serving === undefined) return { unreadable: 'no deployment serves the cluster' };
    const subjects = new Set([instanceId]);
    const logs = { client, stage: serving, functions: [functionName], subjects };
    const { events, missing } = await lookAtLogs(logs, since);
    if (missing.length > 0)
      return { unreadable: `${functionName} of stage ${serving} has no log group: check --stage` };
    return { reasons: events.filter(({ outcome }) => outcome === 'done').map(({ reason }) => reason) };
  } catch (error) {
    return { unreadable: messageOf(error) };
  }
}

/**
 * How Drover has ended the wait of an instance, by the log of a function. `missing`: no pass says that it has; `reason` is that of the last
 * one. Others follow the one that counts: EC2 reports the end of an instance too.
 */
export type LoggedEnd =
  | { readonly kind: 'logged'; readonly reason: string }
  | { readonly kind: 'missing'; readonly reason: string | undefined }
  | { readonly kind: 'unreadable'; readonly why: string };

/** If the answer to the completion was lost, the next pass finds that the hook waits no longer. */
const endsWait = /its hook (?:is completed|waits no longer)/;

/** Pure. */
export function endIn(log: PassLog): LoggedEnd {
  if ('unreadable' in log) return { kind: 'unreadable', why: log.unreadable };
  const reason = log.reasons.findLast((one) => endsWait.test(one) && !one.includes('the drain has failed'));
  return reason === undefined ? { kind: 'missing', reason: log.reasons.at(-1) } : { kind: 'logged', reason };
}

/** CloudWatch Logs has a line some seconds after it was written. */
const lateSeconds = 90;
/** The clock of this machine may be fast. */
const earlierMilliseconds = 300_000;

/** Waits for the line of the log that says how the wait of the instance was ended. */
export async function awaitLoggedEnd(
  { access, record }: Trial,
  { instanceId, functionName }: Omit<PassLogQuery, 'since'>,
  context: WaitContext,
): Promise<LoggedEnd> {
  const since = Date.parse(record().startedAt) - earlierMilliseconds;
  const endsAt = context.clock.now() + lateSeconds * 1000;
  for (;;) {
    const end = endIn(await access.readPassLog({ functionName, instanceId, since }));
    if (end.kind !== 'missing' || context.clock.now() >= endsAt) return end;
    await pauseFor(5, context);
  }
}

/** For the reason of a step: `node-leaving: ...`. */
export function loggedText(functionName: FunctionName, end: LoggedEnd): string {
  if (end.kind === 'logged') return `${functionName}: ${end.reason}`;
  if (end.kind === 'unreadable')
    return `what ${functionName} did is not proven, because its log could not be read: ${end.why}`;
  const last = end.reason === undefined ? '' : `; its last pass: ${end.reason}`;
  return `the log of ${functionName} does not say that it completed the hook${last}`;
}
