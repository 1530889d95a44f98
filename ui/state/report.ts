/** What `drover report` says, as the terminal and the page show it. */
export interface ReportView {
  readonly cluster: string;
  readonly stage: string;
  /** Null for every group. */
  readonly group: string | null;
  /** ISO 8601 in UTC. */
  readonly since: string;
  readonly until: string;
  readonly sections: readonly ReportSection[];
  /** What was read, in sentences. */
  readonly covers: readonly string[];
  /** What is not in the report, and why. */
  readonly missing: readonly string[];
}

export interface ReportSection {
  readonly title: string;
  /** Why it is not known: such a section never looks like one without events. */
  readonly unknown?: string;
  readonly tables: readonly ReportTable[];
}

/** A table with the sentences below it. */
export interface ReportTable {
  readonly head: readonly [string, ...string[]];
  readonly rows: readonly (readonly string[])[];
  /** Rows that were left out. */
  readonly more?: number;
  readonly sentences: readonly string[];
}

/** How far the logs were read. */
export interface ReportProgress {
  readonly log: string;
  /** Logs that were read before this one, of all. */
  readonly done: number;
  readonly all: number;
  readonly lines: number;
  /** The time of the oldest line of this log, in epoch milliseconds; undefined without lines. */
  readonly oldest?: number;
}

/** A line of the response to a request that reads a report. */
export type ReportLine =
  | { readonly kind: 'progress'; readonly progress: ReportProgress }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly reason: string };

/** The report that was read last, as it is for a group. */
export type KeptReport =
  | { readonly kind: 'none' }
  /** The group was not there when it was read. */
  | { readonly kind: 'no-group' }
  | { readonly kind: 'report'; readonly report: ReportView };

/** The periods that the page offers, in days. The longest is the default retention of the log groups. */
export const reportPeriods = [1, 7, 14, 30] as const;
export type ReportPeriod = (typeof reportPeriods)[number];

export const periodText = (days: number): string => (days === 1 ? '24 hours' : `${days} days`);

/** The days of a text such as `14`; undefined for any other period. Pure. */
export const periodIn = (text: string | null): ReportPeriod | undefined =>
  reportPeriods.find((days) => String(days) === text);

/** The period of a report, to the day. Pure. */
export const daysOf = ({ since, until }: Pick<ReportView, 'since' | 'until'>): number =>
  Math.round((Date.parse(until) - Date.parse(since)) / 86_400_000);

/** What part of the logs was read, from 0 to 1. Pure. */
export function progressShare(
  { done, all, oldest }: ReportProgress,
  { since, until }: { readonly since: number; readonly until: number },
): number {
  const within = oldest === undefined ? 0 : (until - oldest) / (until - since);
  return Math.min(1, (done + Math.min(1, Math.max(0, within))) / all);
}
