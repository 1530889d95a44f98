import { cut, plainLine } from './plain-line.ts';

/** A problem of a digest, as docs/notifications.md describes it. */
export interface DigestProblem {
  readonly kind: string;
  readonly subject: string;
  readonly severity: 'critical' | 'warning';
  /** ISO 8601 in UTC; null if nothing records when it began. */
  readonly since: string | null;
  readonly message: string;
  /** The command that solves it, or shows its cause; null if there is none. */
  readonly command: string | null;
  /** A page of the documentation. */
  readonly document: string;
  readonly alarm: string | null;
  /** Since the last digest it is `new`, or has another `severity`. */
  readonly change?: 'new' | 'severity';
  /** How often it has begun within about a day, if more than once. */
  readonly begins?: number;
}

type NamedProblem = Pick<DigestProblem, 'kind' | 'subject'>;

/** What a digest has besides its message. */
export interface DigestDetail {
  /** The most urgent first. */
  readonly problems: readonly DigestProblem[];
  /** How many problems were left out, because an event has at most 256 KB. */
  readonly more?: number;
  readonly ended: readonly NamedProblem[];
  /** Not seen now, and not ended yet. */
  readonly away?: readonly NamedProblem[];
  /** What could not be read. */
  readonly unread?: readonly string[];
  readonly notLookedAt: readonly string[];
}

const longestText = 500;

/** An entry of PutEvents has at most 256 KB, and the rule that delivers it adds some. */
const bytesOfProblems = 140_000;
const bytesOfOtherList = 15_000;

/** The detail with texts and lists of bounded length. Pure. */
export function boundedDigest(detail: DigestDetail): DigestDetail {
  const { ended, away = [], unread = [], notLookedAt } = detail;
  const problems = fitting(detail.problems.map(boundedProblem), bytesOfProblems);
  const more = detail.problems.length - problems.length;
  return {
    problems,
    ...(more > 0 && { more }),
    ended: namesWithin(ended),
    ...(away.length > 0 && { away: namesWithin(away) }),
    ...(unread.length > 0 && { unread: linesWithin(unread) }),
    notLookedAt: linesWithin(notLookedAt),
  };
}

/** The first items, as many as have room. */
function fitting<Item>(items: readonly Item[], bytes: number): readonly Item[] {
  let left = bytes;
  const end = items.findIndex((item) => {
    left -= Buffer.byteLength(JSON.stringify(item)) + 1;
    return left < 0;
  });
  return end < 0 ? items : items.slice(0, end);
}

const namesWithin = (names: readonly NamedProblem[]): readonly NamedProblem[] =>
  fitting(
    names.map(({ kind, subject }) => ({ kind: nameOf(kind), subject: nameOf(subject) })),
    bytesOfOtherList,
  );

const linesWithin = (lines: readonly string[]): readonly string[] =>
  fitting(
    lines.map((line) => plainLine(line, longestText)),
    bytesOfOtherList,
  );

const nameOf = (text: string): string => cut(text.toWellFormed(), 100);

const boundedProblem = (problem: DigestProblem): DigestProblem => ({
  ...problem,
  subject: cut(problem.subject.toWellFormed(), longestText),
  message: plainLine(problem.message, longestText),
  command: problem.command === null ? null : cut(problem.command.toWellFormed(), longestText),
});
