/** What a notice has whatever the work: since when it stands, and until when there is time. ISO 8601 in UTC. */
export interface QueueNotice {
  readonly cause: string;
  readonly noticedAt: string;
  readonly deadline?: string | undefined;
  /** The group that the work is about, where it is not about an instance. */
  readonly autoScalingGroupName?: string;
}

/** What one pass is about, with every notice of it that arrived together, each reason once. */
export interface Subject<Notice extends QueueNotice> {
  readonly id: string;
  /** At least one; of two with the same reason the earlier. */
  readonly notices: readonly Notice[];
  /** The tightest of the notices' deadlines, in epoch milliseconds; absent where none has one. */
  readonly deadline?: number;
  /** One of its messages was received before. */
  readonly redelivered: boolean;
  /** How often the message that was received most often was received, this time included. */
  readonly receiveCount: number;
}

/** The tightest deadline among notices, as epoch milliseconds. */
export function tightestDeadline(notices: readonly QueueNotice[]): number | undefined {
  const deadlines = notices.flatMap(({ deadline }) => (deadline === undefined ? [] : [Date.parse(deadline)]));
  return deadlines.length === 0 ? undefined : Math.min(...deadlines);
}
