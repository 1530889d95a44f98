import type { SimulationClock } from '../simulation/clock.ts';
import { deferred } from '../simulation/deferred.ts';
import type { CallInFlight, Latency, Strike, Weather } from './strike.ts';

/** What a call meets between its caller and the server. */
export interface Road {
  readonly clock: SimulationClock;
  readonly weather: Weather;
  /** Called when a fault stops the caller for good. */
  readonly onKilled?: (() => void) | undefined;
}

export interface Exchange<Answer> {
  readonly call: CallInFlight;
  readonly execute: () => Promise<Answer>;
  /** The answer that the fault gives instead of the server's. */
  readonly answerOf: (strike: Strike) => Answer | undefined;
  /** How long the caller waits; absent: for ever. */
  readonly timeoutMilliseconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Carries one call to the server and the answer back. It ends at the caller's own limit, as on a socket: then what is on its way
 * still reaches the server.
 */
export async function carry<Answer>(road: Road, exchange: Exchange<Answer>): Promise<Answer> {
  const patience = startPatience(road.clock, exchange);
  const kill = (): Promise<never> => {
    patience.end();
    road.onKilled?.();
    return never();
  };
  try {
    return await Promise.race([patience.isOver, travel(road, exchange, kill)]);
  } finally {
    patience.end();
  }
}

async function travel<Answer>(
  { clock, weather }: Road,
  { call, execute, answerOf }: Exchange<Answer>,
  kill: () => Promise<never>,
): Promise<Answer> {
  const { beforeMilliseconds = 0, afterMilliseconds = 0 } = latencyOf(weather, call);
  if (beforeMilliseconds > 0) await pass(clock, beforeMilliseconds);
  weather.onCall?.(call);
  const strike = weather.strike?.(call);
  await meet('before', strike, kill);
  const answer = (strike && answerOf(strike)) ?? (await execute());
  await meet('after', strike, kill);
  if (afterMilliseconds > 0) await pass(clock, afterMilliseconds);
  return answer;
}

function latencyOf({ latencyMilliseconds }: Weather, call: CallInFlight): Latency {
  const latency = latencyMilliseconds?.(call) ?? 0;
  return typeof latency === 'number' ? { beforeMilliseconds: latency } : latency;
}

const pass = (clock: SimulationClock, milliseconds: number): Promise<void> =>
  new Promise((arrive) => {
    clock.after(milliseconds, arrive);
  });

const never = (): Promise<never> => new Promise(() => undefined);

/** Throws or never ends if the fault is meant for this moment. */
function meet(
  moment: 'before' | 'after',
  strike: Strike | undefined,
  kill: () => Promise<never>,
): Promise<never> | undefined {
  switch (strike?.kind) {
    case `fail-${moment}`:
      throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    case `hang-${moment}`:
      return never();
    case `kill-${moment}`:
      return kill();
    default:
      return undefined;
  }
}

type Limits = Pick<Exchange<unknown>, 'timeoutMilliseconds' | 'signal'>;

/** Rejects when the caller waits no longer; not once it is ended. */
function startPatience(clock: SimulationClock, { timeoutMilliseconds, signal }: Limits) {
  const { promise: isOver, reject } = deferred<never>();
  const timer =
    timeoutMilliseconds === undefined
      ? undefined
      : clock.after(timeoutMilliseconds, () => reject(timedOut(timeoutMilliseconds)));
  const abort = (): void => reject(aborted(signal));
  signal?.addEventListener('abort', abort, { once: true });
  return {
    isOver,
    end: (): void => {
      timer?.cancel();
      signal?.removeEventListener('abort', abort);
    },
  };
}

/** With the platform's names for both. */
const timedOut = (milliseconds: number): Error =>
  Object.assign(new Error(`no answer within ${milliseconds} ms`), { name: 'TimeoutError' });

const aborted = (signal: AbortSignal | undefined): Error =>
  Object.assign(new Error('Request aborted', { cause: signal?.reason }), { name: 'AbortError' });
