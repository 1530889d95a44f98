import type { VirtualClock } from '@drover/cloud-sandbox/simulation';
import { GroupsError } from '../../../shared/capacity/groups.ts';
import { HoldParametersError } from '../../../shared/capacity/holds/context.ts';
import { KubernetesError } from '../../../shared/kubernetes/status.ts';
import type { Dice } from '../lifetimes/plan/dice.ts';

/** What goes wrong for some minutes. */
export const faultKinds = [
  /** The API server does not answer, or refuses. */
  'api-away',
  /** Every response of AWS is some seconds old. */
  'stale',
  'throttled',
  /** prewarm is killed before or after its calls. */
  'kills',
  'no-launches',
  /** Half of the new nodes never become Ready. */
  'bad-nodes',
  /** The parameter `podHolds` is off. */
  'pod-holds-off',
  /** The clock of prewarm is 80 s ahead or behind. */
  'clock',
  /** EventBridge does not start prewarm. */
  'no-scans',
] as const;

export type FaultKind = (typeof faultKinds)[number];

export type Service = 'autoscaling' | 'ssm' | 'kubernetes' | 'sqs' | 'scheduler';

/** One run of prewarm. A run that was killed, or whose time is up, makes no calls any more. */
interface Invocation {
  readonly isAlive: () => boolean;
  /** Ends it as if the machine had been lost. */
  readonly kill: () => void;
}

export type Weather = ReturnType<typeof createWeather>;

/** The faults of the moment, and calls in them. */
export function createWeather({ clock, dice }: { readonly clock: VirtualClock; readonly dice: Dice }) {
  let kinds: ReadonlySet<FaultKind> = new Set();
  let struck = 0;
  let clockOffset = 0;
  const never = new Promise<never>(() => {});
  const has = (kind: FaultKind): boolean => kinds.has(kind);
  const strike = (): number => {
    struck += 1;
    return struck;
  };

  /** The error with which the call fails now. */
  function errorOf(service: Service): Error | 'hangs' | undefined {
    if (service === 'kubernetes' && has('api-away') && strike())
      return dice.chance(0.3) ? 'hangs' : new KubernetesError('unreachable', 'list: no connection');
    if (!has('throttled') || !dice.chance(0.25)) return undefined;
    strike();
    const cause = new Error('Rate exceeded');
    if (service === 'autoscaling') return new GroupsError('throttled', 'Rate exceeded', { cause });
    if (service === 'ssm') return new HoldParametersError('throttled', 'Rate exceeded', { cause });
    return service === 'scheduler' ? cause : undefined;
  }

  /** One call of an invocation: it takes a moment, and may fail or be killed before or after its effect. */
  async function call<Answer>(
    { isAlive, kill }: Invocation,
    service: Service,
    effect: () => Answer,
  ): Promise<Answer> {
    await pause(dice.integer(20, 300));
    if (!isAlive()) return await never;
    const kills = has('kills') && dice.chance(0.12);
    if (kills && dice.chance(0.5) && strike()) {
      kill();
      return await never;
    }
    const error = errorOf(service);
    if (error === 'hangs') return await never;
    const isAfter = dice.chance(0.5);
    if (error !== undefined && !isAfter) throw error;
    const answer = effect();
    if (error !== undefined) throw error;
    if (kills && strike()) {
      kill();
      return await never;
    }
    await pause(dice.integer(5, 100));
    return isAlive() ? answer : await never;
  }

  const pause = async (milliseconds: number): Promise<void> =>
    await new Promise<void>((resolve) => {
      clock.after(milliseconds, resolve);
    });

  return {
    has,
    kinds: () => kinds,
    /** The faults from now on. */
    become: (next: ReadonlySet<FaultKind>): void => {
      if (next.has('clock') !== has('clock'))
        clockOffset = next.has('clock') ? dice.pick([-80, 80]) * 1000 : 0;
      kinds = next;
    },
    call,
    struck: () => struck,
    /** How old a response of AWS is. */
    staleSeconds: (): number => (has('stale') || dice.chance(0.3) ? dice.integer(1, 10) : 0),
    /** The time that prewarm believes it to be. */
    now: (): number => clock.now() + clockOffset,
  };
}
