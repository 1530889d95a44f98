import { budgetName, holdingBudgets } from './held.ts';
import type { LeavingView } from './types.ts';
import { clockTime, counted, duration } from './words.ts';

/** What all drains together are at: `2 nodes draining, 1 of them held 31 s by budget strict; forced at 16:49`. Pure. */
export function drainSentence(
  drains: readonly LeavingView[],
  now: number,
): { readonly text: string; readonly isHeld: boolean } {
  const held = drains.filter((drain) => holdingBudgets(drain).length > 0);
  const isHeld = held.length > 0;
  const lasts = duration(now - Math.min(...(isHeld ? held : drains).map(({ since }) => since)));
  const words = isHeld ? `, ${shareOf(held, drains)}held ${lasts} by ${budgetsOf(held)}` : ` for ${lasts}`;
  const until = Math.min(...drains.map(({ until: end = Infinity }) => end));
  return { text: `${counted(drains.length, 'node')} draining${words}${forcedWords(until, now)}`, isHeld };
}

const shareOf = ({ length }: readonly LeavingView[], all: readonly LeavingView[]): string =>
  length === all.length ? '' : `${length} of them `;

function budgetsOf(held: readonly LeavingView[]): string {
  const names = [...new Set(held.flatMap(holdingBudgets))].map(budgetName);
  return `budget ${names.join(', ')}`;
}

function forcedWords(until: number, now: number): string {
  if (until === Infinity) return '';
  return until > now ? `; forced at ${clockTime(until, now)}` : `; forced since ${clockTime(until, now)}`;
}
