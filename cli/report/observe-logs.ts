import { hasCode } from '../../shared/aws/errors.ts';
import { isoSeconds } from '../../shared/base/iso-seconds.ts';
import { parseJson } from '../../shared/base/parse-json.ts';
import { type FunctionName, functionNames, logGroupOf } from '../events/functions.ts';
import { reasonOf } from '../reason-of.ts';
import { gatherLooks, readLookFact } from './facts/look-spans.ts';
import { readPassFact } from './facts/pass-fact.ts';
import { gatherPasses } from './facts/pass-spans.ts';
import { gatherRefusals } from './facts/refusals.ts';
import type { Observed, Source } from './observed.ts';
import { type LineReader, type LinesRead, mostLines, readLines } from './read-lines.ts';

export interface LogsQuery {
  readonly stage: string;
  /** Epoch milliseconds. */
  readonly since: number;
  readonly until: number;
}

export type LogsReading = Omit<LineReader, 'onProgress'> & {
  /** Says how far a log was read. */
  readonly onProgress: (name: FunctionName, read: LinesRead) => void;
};

export interface LogsObserved extends Pick<Observed, 'leaving' | 'joining' | 'looks' | 'refusals'> {
  /** Where the logs begin, as far as they were read, in epoch milliseconds; undefined without lines. */
  readonly from: number | undefined;
  readonly lines: number;
  readonly missing: readonly string[];
  /** Functions whose log could not be read, and those that a report needs and that have none. */
  readonly unread: readonly FunctionName[];
  /** No function has a log: the stage is mistyped, or in another region. */
  readonly isNone: boolean;
}

/** Attempts that AWS refused, of every function: their metric is a line of the log. */
const refusals = '$.Service = "*"';
/** Scans write a line at least every five minutes, which shows where the logs begin and that Drover ran. */
const patterns: Partial<Record<FunctionName, string>> = {
  'node-leaving': '$.message = "pass"',
  'node-joining': '$.message = "pass"',
  prewarm: '$.message = "look"',
  sweep: '$.message = "sweep"',
};

/** Every deployment has these, each with its log group, from the beginning. Without one, a part of the report is not known. */
const needed: readonly FunctionName[] = ['node-leaving', 'node-joining', 'prewarm'];

/**
 * Reads the logs of the functions, one after the other, and keeps what a report needs of each line.
 *
 * @throws the reason of the signal, if it ends the reading.
 */
export async function observeLogs(
  { client, pause, onProgress, signal }: LogsReading,
  query: LogsQuery,
): Promise<LogsObserved> {
  const leaving = gatherPasses();
  const joining = gatherPasses();
  const looks = gatherLooks();
  const refused = gatherRefusals();
  let scansFrom = Infinity;
  const take = (name: FunctionName, message: string): void => {
    const line = parseJson(message);
    refused.add(line);
    if (name === 'sweep' || name === 'prewarm') scansFrom = Math.min(scansFrom, timeOf(line));
    const pass = readPassFact(line);
    if (pass && name === 'node-leaving') leaving.add(pass);
    if (pass && name === 'node-joining') joining.add(pass);
    const look = name === 'prewarm' ? readLookFact(line) : undefined;
    if (look) looks.add(look);
  };
  const results = new Map<FunctionName, Source<LinesRead | undefined>>();
  for (const name of functionNames) {
    const pattern = `{ ${[patterns[name], refusals].filter((part) => part !== undefined).join(' || ')} }`;
    const reader = { client, pause, signal, onProgress: (read: LinesRead) => onProgress(name, read) };
    const logQuery = { ...query, logGroupName: logGroupOf(query.stage, name), pattern };
    results.set(name, await tryTo(() => readLines(reader, logQuery, (line) => take(name, line))));
    signal?.throwIfAborted();
  }
  const read = [...results].flatMap(([name, result]) =>
    result.kind === 'known' && result.value ? [{ name, ...result.value }] : [],
  );
  const from = Number.isFinite(scansFrom) ? scansFrom : undefined;
  const absent = needed.filter((name) => isAbsent(results.get(name)));
  const unread = [
    ...[...results].flatMap(([name, { kind }]) => (kind === 'unknown' ? [name] : [])),
    ...absent,
  ];
  const unreadBecause = [...unreadTexts(results), ...absent.map((name) => absentText(name, query))];
  const ofLog = <Value>(name: FunctionName, value: () => Value): Source<Value> => {
    const result = results.get(name);
    if (result?.kind === 'unknown') return { kind: 'unknown', reason: unreadText([name], result.reason) };
    if (isAbsent(result)) return { kind: 'unknown', reason: absentText(name, query) };
    return { kind: 'known', value: value() };
  };
  return {
    leaving: ofLog('node-leaving', leaving.spans),
    joining: ofLog('node-joining', joining.spans),
    looks: ofLog('prewarm', looks.spans),
    refusals:
      unread.length > 0
        ? { kind: 'unknown', reason: unreadBecause.join('; ') }
        : { kind: 'known', value: refused.counts() },
    from,
    lines: read.reduce((sum, { lines }) => sum + lines, 0),
    missing: [
      ...unreadBecause,
      ...whereLogsBegin(from, query),
      ...read.filter(({ isCut }) => isCut).map(cutText),
    ],
    unread,
    isNone: [...results.values()].every(isAbsent),
  };
}

async function tryTo<Value>(read: () => Promise<Value>): Promise<Source<Value>> {
  try {
    return { kind: 'known', value: await read() };
  } catch (error) {
    return { kind: 'unknown', reason: hasCode(error, 'AccessDeniedException') ? denied : reasonOf(error) };
  }
}

const denied = 'allow logs:FilterLogEvents on';

/** Logs that cannot be read for one reason, in one sentence. */
function unreadText(names: readonly FunctionName[], why: string): string {
  const isOne = names.length === 1;
  const logs = isOne ? `the log of ${names.join()}` : `the logs of ${names.join(', ')}`;
  const remedy = isOne ? `${denied} its log group` : `${denied} their log groups`;
  return `${logs} cannot be read: ${why === denied ? remedy : why}`;
}

function unreadTexts(results: Results): readonly string[] {
  const unread = [...results].flatMap(([name, result]) =>
    result.kind === 'unknown' ? [{ name, why: result.reason }] : [],
  );
  return [...Map.groupBy(unread, ({ why }) => why)].map(([why, of]) =>
    unreadText(
      of.map(({ name }) => name),
      why,
    ),
  );
}

type Results = ReadonlyMap<FunctionName, Source<LinesRead | undefined>>;

/** The log group does not exist. */
const isAbsent = (result: Source<LinesRead | undefined> | undefined): boolean =>
  result?.kind === 'known' && result.value === undefined;

/** The roles of functions may not create log groups. */
const absentText = (name: FunctionName, { stage }: LogsQuery): string =>
  `there is no log of ${name}: create its log group ${logGroupOf(stage, name)} again`;

/** Scans that are this late are not missing. */
const scanMilliseconds = 900_000;

function whereLogsBegin(from: number | undefined, { since }: LogsQuery): readonly string[] {
  if (from === undefined)
    return ['it is not known how far back the logs go: neither prewarm nor sweep has a line'];
  return from - since <= scanMilliseconds
    ? []
    : [
        `the logs begin at ${isoSeconds(from)}: older lines are past the retention of the log groups, or Drover was deployed then`,
      ];
}

const cutText = ({ name, oldest = 0 }: LinesRead & { readonly name: FunctionName }): string =>
  `lines of ${name} before ${isoSeconds(oldest)} are left out, because there are more than ${mostLines.toLocaleString('en')}: ask for a shorter time with --since`;

function timeOf(line: unknown): number {
  const time = typeof line === 'object' && line !== null && 'time' in line ? line.time : undefined;
  const at = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isNaN(at) ? Infinity : at;
}
