import { createHash } from 'node:crypto';
import { isRecent } from '../base/is-recent.ts';
import { isoSeconds } from '../base/iso-seconds.ts';
import type { Problem } from '../problems/problem.ts';
import { asBegun, followProblems, type KeyedProblem, keyOf, withKeys } from './follow-problems.ts';
import {
  formatRemembered,
  nothingRemembered,
  type Remembered,
  type RememberedProblem,
} from './remembered.ts';

/** What a sweep has seen. */
export interface Look {
  /** In the order of every surface. */
  readonly problems: readonly Problem[];
  /** What could not be read, each with its reason. */
  readonly unread: readonly string[];
  /** What this deployment does not look at. */
  readonly notLookedAt: readonly string[];
}

/** A problem of the list, with what a receiver cannot know from it. */
export interface ListedProblem {
  readonly problem: Problem;
  /** `new` since the last digest, or with another severity. */
  readonly change?: 'new' | 'severity';
  /** How often it has begun within about a day. */
  readonly begins: number;
}

export interface Digest {
  readonly listed: readonly ListedProblem[];
  readonly ended: readonly RememberedProblem[];
  /** Not seen now, and not ended yet. */
  readonly away: readonly RememberedProblem[];
  readonly unread: readonly string[];
  readonly notLookedAt: readonly string[];
}

export interface Decision {
  /** To remember if no digest is put, and while one is being put. */
  readonly remembered: Remembered;
  readonly digest?: {
    readonly content: Digest;
    /** The same while one digest is tried again, and another one for the next digest. */
    readonly occurrence: string;
    /** To remember once EventBridge has the digest. */
    readonly afterwards: Remembered;
  };
}

/** At most one digest in this time. */
const betweenSeconds = 3600;
/** A sweep that was killed while it put a digest is given up after this time: it runs for two minutes at most. */
const claimSeconds = 150;

/** What was remembered: `absent` if there is no parameter, `damaged` if its text cannot be read. */
export type Previous = Remembered | 'absent' | 'damaged';

/**
 * Decides whether a digest is due: the list has changed since the last one, which is an hour ago. Without a memory each problem is new, so that
 * there is one digest too many. Pure.
 */
export function digestOf(previous: Previous, look: Look, now: number): Decision {
  const before = previous === 'absent' || previous === 'damaged' ? nothingRemembered : previous;
  const seen = withKeys(look.problems);
  const followed = followProblems(withRest(before, seen), seen, { now, isPartial: look.unread.length > 0 });
  const content = contentOf(followed, seen, look);
  const { toldAt, claimedAt } = before;
  const hasNews = content.ended.length > 0 || content.listed.some(({ change }) => change !== undefined);
  const isBeingPut = claimedAt !== undefined && isRecent(claimedAt, { now, seconds: claimSeconds });
  const isDue = toldAt === undefined || !isRecent(toldAt, { now, seconds: betweenSeconds });
  const owedSince = before.owedSince ?? (previous === 'damaged' || (hasNews && isDue) ? now : undefined);
  const times = {
    ...(toldAt !== undefined && { toldAt }),
    ...(isBeingPut && { claimedAt }),
    ...(owedSince !== undefined && { owedSince }),
  };
  const remembered = withinRoom({ ...times, problems: followed }, before.rest);
  if (owedSince === undefined || !isDue || isBeingPut) return { remembered };
  const occurrence = `${isoSeconds(toldAt ?? owedSince)}/${hashOf(changesIn(content))}`;
  const afterwards = withinRoom({ toldAt: now, problems: followed.map(told) }, '');
  return { remembered, digest: { content, occurrence, afterwards } };
}

function contentOf(
  followed: readonly RememberedProblem[],
  seen: readonly KeyedProblem[],
  { unread, notLookedAt }: Look,
): Digest {
  const byKey = new Map(followed.map((one) => [keyOf(one), one]));
  const listed = seen.map(({ key, problem }): ListedProblem => {
    const { begins, toldAs } = byKey.get(key) ?? { begins: 1, toldAs: undefined };
    const change = toldAs === undefined ? 'new' : toldAs === problem.severity ? undefined : 'severity';
    return { problem, begins, ...(change && { change }) };
  });
  const ended = followed.filter(({ endedAt, toldAs }) => endedAt !== undefined && toldAs !== undefined);
  const away = followed.filter(({ endedAt, awaySince }) => endedAt === undefined && awaySince !== undefined);
  return { listed, ended, away, unread, notLookedAt };
}

const changesIn = ({ listed, ended }: Digest): readonly string[] => [
  ...listed.flatMap(({ change, problem: { kind, subject } }) =>
    change ? [JSON.stringify([change, kind, subject])] : [],
  ),
  ...ended.map(({ kind, subject }) => JSON.stringify(['ended', kind, subject])),
];

const told = ({ toldAs: _toldAs, ...one }: RememberedProblem): RememberedProblem =>
  one.endedAt === undefined ? { ...one, toldAs: one.severity } : one;

/** What is remembered, with the problems that had no room. They count as sent if they are the same ones. */
function withRest(
  { rest, problems }: Remembered,
  seen: readonly KeyedProblem[],
): readonly RememberedProblem[] {
  const known = new Set(problems.map(keyOf));
  const others = seen.filter(({ key }) => !known.has(key));
  if (rest === '' || hashOf(others.map(({ key }) => key)) !== rest) return problems;
  return [...problems, ...others.map(asBegun).map(told)];
}

/**
 * As much as the parameter has room for, in this order, and the hash of the rest. What has ended and was sent makes room first. If the rest has
 * something that was not sent, the hash is still that of the last digest. Pure.
 */
function withinRoom(whole: Omit<Remembered, 'rest'>, restOfLastDigest: string): Remembered {
  if (hasRoomFor(whole.problems)) return { ...whole, rest: '' };
  const kept: RememberedProblem[] = [];
  const left: RememberedProblem[] = [];
  for (const one of whole.problems.filter((problem) => !isSpare(problem)))
    if (hasRoomFor([...kept, one])) kept.push(one);
    else left.push(one);
  const isTold = left.every(({ toldAs }) => toldAs !== undefined);
  const seen = left.filter(({ endedAt, awaySince }) => endedAt === undefined && awaySince === undefined);
  return { ...whole, problems: kept, rest: isTold ? hashOf(seen.map(keyOf)) : restOfLastDigest };
}

const isSpare = ({ endedAt, toldAs }: RememberedProblem): boolean =>
  endedAt !== undefined && toldAs === undefined;

/** With all times, and with the hash of a rest. */
const hasRoomFor = (problems: readonly RememberedProblem[]): boolean =>
  formatRemembered({ toldAt: 1e15, claimedAt: 1e15, owedSince: 1e15, rest: hashOf([]), problems }) !==
  undefined;

const hashOf = (texts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(texts.toSorted())).digest('base64url').slice(0, 16);
