/** The tag of a paused group. It is visible in the AWS console, and every pass reads the tags of its group. */
export const pauseTagKey = 'drover.dev/paused';

/** The user who paused, since when, and whether this group only or all groups of the cluster. */
export interface Pause {
  readonly scope: 'group' | 'cluster';
  /** ISO 8601 in UTC; absent if a tag that was written by hand does not have it. */
  readonly since?: string;
  readonly by?: string;
}

type Tags = Readonly<Record<string, string>>;

/**
 * The pause of a group with these tags; undefined if its passes are not paused. Every value pauses except `false`. The cluster is
 * paused by the same tag on every managed group (docs/adr/0007).
 */
export function pauseOf(tags: Tags): Pause | undefined {
  const value = tags[pauseTagKey];
  if (value === undefined || value === 'false') return undefined;
  const words = new Map(value.split(' ').map((word) => splitOnce(word)));
  const since = words.get('since');
  const by = words.get('by');
  return {
    scope: words.get('scope') === 'cluster' ? 'cluster' : 'group',
    ...(since !== undefined && !Number.isNaN(Date.parse(since)) && { since }),
    ...(by && { by }),
  };
}

/** `paused for the cluster since 2026-11-21T08:00:00Z by ana`. */
export const describePause = ({ scope, since, by }: Pause): string =>
  `paused for the ${scope}${since ? ` since ${since}` : ''}${by ? ` by ${by}` : ''}`;

/** A tag value has at most 256 characters, so a long user name is cut. A role name with its session name has at most 142. */
const longestBy = 160;

/** The tag that pauses a group. Tags allow letters, digits, spaces and `+ - = . _ : / @`; any other character becomes `_`. */
export function pauseTag({ scope, since, by }: { scope: Pause['scope']; since: string; by: string }): {
  readonly key: string;
  readonly value: string;
} {
  const name = by.replaceAll(/[^\p{L}\p{N}+\-=._:/@]/gu, '_').slice(0, longestBy);
  return { key: pauseTagKey, value: `scope=${scope} since=${since} by=${name}` };
}

/**
 * The reason of a paused pass: who paused, and how long the wait can last. `limit` is the end of the wait in epoch milliseconds
 * (the global timeout of the hook, or the deadline of the notice), Infinity if nothing ends it; `end` is what happens then.
 */
export function pausedReason(
  pause: Pause,
  { now, limit, end = 'the instance goes, drained or not' }: { now: number; limit: number; end?: string },
): string {
  const paused = describePause(pause);
  if (limit === Infinity) return `${paused}; nothing ends the wait`;
  const until = new Date(limit).toISOString();
  if (limit <= now) return `${paused}; the wait could be held until ${until}, and that has passed`;
  return `${paused}; the wait can be held until ${until}, then ${end}`;
}

const splitOnce = (word: string): readonly [string, string] => {
  const at = word.indexOf('=');
  return at < 0 ? [word, ''] : [word.slice(0, at), word.slice(at + 1)];
};
