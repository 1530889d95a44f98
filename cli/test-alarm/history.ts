import { type CloudWatchClient, DescribeAlarmHistoryCommand } from '@aws-sdk/client-cloudwatch';

/** What CloudWatch says became of an action. */
export interface ActionOutcome {
  readonly action: string;
  readonly outcome: 'published' | 'failed' | 'unknown';
  /** Why it failed, or why that is not known. */
  readonly reason?: string;
}

/** An action in the history of an alarm. */
export interface PerformedAction {
  /** Epoch milliseconds by CloudWatch's clock. */
  readonly at: number;
  readonly summary: string;
}

/** The newest actions of an alarm, the newest first. */
export async function readActions(
  client: CloudWatchClient,
  AlarmName: string,
): Promise<readonly PerformedAction[]> {
  const command = new DescribeAlarmHistoryCommand({ AlarmName, HistoryItemType: 'Action', MaxRecords: 20 });
  const { AlarmHistoryItems = [] } = await client.send(command);
  return AlarmHistoryItems.map(({ Timestamp, HistorySummary = '' }) => ({
    at: Timestamp?.getTime() ?? 0,
    summary: HistorySummary,
  }));
}

/**
 * What became of each action, from the entries that were not there before. They are compared whole, because this machine's clock may differ from
 * CloudWatch's. If an action has several entries, the first one counts, because later ones belong to the way back. Pure.
 */
export function outcomesOf(
  actions: readonly string[],
  before: readonly PerformedAction[],
  now: readonly PerformedAction[],
): readonly ActionOutcome[] {
  const known = new Set(before.map(entryOf));
  const fresh = now.filter((entry) => !known.has(entryOf(entry))).toSorted((one, other) => one.at - other.at);
  return actions.map((action) => {
    const entry = fresh.find(({ summary }) => isAbout(summary, action));
    if (entry === undefined) return { action, outcome: 'unknown' };
    const error = /^Failed to execute action \S+\s*(?:Received error:\s*)?(.*)$/su.exec(entry.summary)?.[1];
    return error === undefined
      ? { action, outcome: 'published' }
      : { action, outcome: 'failed', reason: error.trim() || 'CloudWatch does not say why' };
  });
}

const entryOf = ({ at, summary }: PerformedAction): string => `${at} ${summary}`;

/** One topic's ARN may begin another's, and a failure ends the ARN with a full stop. An error may quote ARNs too. */
const isAbout = (summary: string, action: string): boolean =>
  ['Successfully executed action ', 'Failed to execute action '].some((begin) => {
    if (!summary.startsWith(`${begin}${action}`)) return false;
    const rest = summary.slice(begin.length + action.length);
    return rest === '' || /^\.?(\s|$)/u.test(rest);
  });
