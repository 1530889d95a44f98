import type { CallInFlight, Strike, Weather } from '@drover/cloud-sandbox';
import { AwsError } from '@drover/cloud-sandbox/aws';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import { type Dice, diceOf } from './plan/dice.ts';
import type { LifetimePlan } from './plan/plan.ts';
import type { Spell } from './plan/spells.ts';

export interface LifetimeWeather extends Weather {
  /** The spells under way, by seconds since the history began. */
  readonly spellsAt: (seconds: number) => readonly Spell[];
}

/** The plan's spells as weather. `seconds` tells how long the history has been going on; undefined: not yet, or no longer. */
export function weatherOf(
  { seed, spells }: LifetimePlan,
  {
    seconds,
    onStrike,
  }: {
    readonly seconds: () => number | undefined;
    readonly onStrike: (call: CallInFlight, strike: Strike) => void;
  },
): LifetimeWeather {
  const dice = diceOf(createRandom(seed ^ 0x5eed));
  const spellsAt = (at: number): readonly Spell[] => spells.filter(({ from, to }) => at >= from && at < to);
  const now = (): readonly Spell[] => {
    const at = seconds();
    return at === undefined ? [] : spellsAt(at);
  };
  return {
    spellsAt,
    strike: (call) => {
      for (const spell of now()) {
        const strike = strikeOf(spell, call, dice);
        if (strike === undefined) continue;
        onStrike(call, strike);
        return strike;
      }
      return undefined;
    },
    latencyMilliseconds: () =>
      Math.max(0, ...now().map((spell) => (spell.kind === 'slow' ? dice.integer(0, spell.milliseconds) : 0))),
  };
}

function strikeOf(spell: Spell, { to }: CallInFlight, dice: Dice): Strike | undefined {
  switch (spell.kind) {
    case 'kubernetes-away':
      return to === 'kubernetes' ? { kind: 'fail-before' } : undefined;
    case 'kubernetes-answers':
      return to === 'kubernetes' && dice.chance(spell.share) ? refusal(spell.status) : undefined;
    case 'aws-throttles':
      return to === 'aws' && dice.chance(spell.share) ? { kind: 'aws-error', error: throttled() } : undefined;
    case 'calls-break':
      return dice.chance(spell.share) ? { kind: dice.pick(['fail-before', 'fail-after']) } : undefined;
    case 'killed':
      return dice.chance(spell.share) ? { kind: dice.pick(['kill-before', 'kill-after']) } : undefined;
    case 'slow':
    case 'events-disturbed':
      return undefined;
  }
}

const refusal = (status: number): Strike => ({
  kind: 'http-answer',
  status,
  headers: status === 429 ? { 'retry-after': '1' } : {},
  body: JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    code: status,
    message: 'try later',
  }),
});

const throttled = (): AwsError =>
  new AwsError({ code: 'Throttling', message: 'Rate exceeded', statusCode: 400 });
