import type { RollBounds } from './roll.ts';

/** An activity of a group that has succeeded, in epoch milliseconds. */
interface Span {
  readonly startedAt: number;
  readonly endedAt: number;
}

/** How long instances of a group have taken so far, from its scaling activities. */
export interface GroupHistory {
  /** From the begin of a launch until the instance was in service, which is when its Node is Ready with Drover's launch hook. */
  readonly launches: readonly Span[];
  /** From the begin of a termination until its end, with the drain. */
  readonly terminations: readonly Span[];
}

export interface ExpectedTime {
  readonly seconds: number;
  readonly launchSeconds: number;
  /** Undefined if no instance has left so far: the drains come on top. */
  readonly terminationSeconds?: number;
}

/** A pass takes one step a minute: one that finds the replacement Ready, and one that finds the old instance gone. */
const stepOverheadSeconds = 60;

/**
 * How long the replacement of so many nodes of a group takes, if all goes as in the past; undefined if its history has no launch. Budgets that hold
 * pods, and windows, come on top. Pure.
 *
 * @param options.isFollowed whether a group of the same role is replaced next, which waits for the bake too.
 */
export function expectedTime(
  nodes: number,
  bounds: Pick<RollBounds, 'surge' | 'maxUnavailable' | 'canary' | 'bakeSeconds'>,
  { launches, terminations }: GroupHistory,
  { isFollowed = false }: { readonly isFollowed?: boolean } = {},
): ExpectedTime | undefined {
  const launchSeconds = medianSeconds(launches);
  if (launchSeconds === undefined) return undefined;
  const terminationSeconds = medianSeconds(terminations);
  const canaries = Math.min(nodes, bounds.canary);
  const rest = Math.ceil((nodes - canaries) / (bounds.surge + bounds.maxUnavailable));
  const steps = (canaries > 0 ? 1 : 0) + rest;
  const step = launchSeconds + (terminationSeconds ?? 0) + stepOverheadSeconds;
  return {
    seconds: steps * step + (canaries > 0 && (rest > 0 || isFollowed) ? bounds.bakeSeconds : 0),
    launchSeconds,
    ...(terminationSeconds !== undefined && { terminationSeconds }),
  };
}

function medianSeconds(spans: readonly Span[]): number | undefined {
  const seconds = spans.map(({ startedAt, endedAt }) => (endedAt - startedAt) / 1000).sort((a, b) => a - b);
  const middle = seconds[Math.floor(seconds.length / 2)];
  return middle === undefined ? undefined : Math.round(middle);
}
