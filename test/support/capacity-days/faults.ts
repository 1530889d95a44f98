import type { CallInFlight, Strike, Weather } from '@drover/cloud-sandbox';
import { AwsError } from '@drover/cloud-sandbox/aws';
import type { Dice } from '../lifetimes/plan/dice.ts';

const strikes: readonly Strike[] = [
  { kind: 'fail-before' },
  { kind: 'fail-after' },
  { kind: 'hang-before' },
  { kind: 'hang-after' },
  { kind: 'kill-before' },
  { kind: 'kill-after' },
  {
    kind: 'aws-error',
    error: new AwsError({ code: 'AccessDenied', message: 'not authorized', statusCode: 403 }),
  },
  {
    kind: 'aws-error',
    error: new AwsError({ code: 'Throttling', message: 'Rate exceeded', statusCode: 400 }),
  },
];

/** Whether calls of `prewarm` fail now, and how many have failed. */
export interface FaultState {
  isHard: boolean;
  struck: number;
}

/** In hard hours calls of `prewarm` fail, hang, are refused, killed or late. Responses of Auto Scaling are always up to ten seconds old. */
export function capacityWeather(dice: Dice, state: FaultState, clockOffsetSeconds: number): Weather {
  const isHit = ({ caller }: CallInFlight, share: number): boolean =>
    caller === 'prewarm' && state.isHard && dice.chance(share);
  return {
    strike: (call) => {
      if (!isHit(call, 0.2)) return undefined;
      state.struck += 1;
      return dice.pick(strikes);
    },
    latencyMilliseconds: (call) => (isHit(call, 0.1) ? dice.integer(500, 12_000) : 0),
    staleSeconds: ({ caller, what }) =>
      caller === 'prewarm' && what.startsWith('autoscaling') ? dice.integer(0, 10) : 0,
    clockOffsetMilliseconds: (part) => (part === 'prewarm' ? clockOffsetSeconds * 1000 : 0),
  };
}
