import type { Random } from '@drover/cloud-sandbox/simulation';

/** What a plan is drawn with. */
export interface Dice extends Random {
  /** True this often, from 0 to 1. */
  chance(probability: number): boolean;
  /** One of them with this probability, otherwise undefined. */
  maybe<T>(probability: number, make: () => T): T | undefined;
}

export function diceOf(random: Random): Dice {
  const chance = (probability: number): boolean => random.next() < probability;
  return { ...random, chance, maybe: (probability, make) => (chance(probability) ? make() : undefined) };
}
