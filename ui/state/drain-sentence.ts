import { forcedWords } from './forced-words.ts';
import { budgetName, holdingBudgets } from './held.ts';
import { asOfWords, momentOf } from './seen-moment.ts';
import type { LeavingView } from './types.ts';
import { clockTime, counted, duration } from './words.ts';

/** What all drains together are at: `1 node draining for 31 s, held by budget strict; forced at 16:49 at the latest`. Pure. */
export function drainSentence(
  drains: readonly LeavingView[],
  now: number,
): { readonly text: string; readonly isHeld: boolean } {
  const held = drains.filter((drain) => holdingBudgets(drain).length > 0);
  const isHeld = held.length > 0;
  const first = drains.length === 1 ? '' : 'the first ';
  const lasts = duration(Math.max(...drains.map((drain) => momentOf(drain, now) - drain.since)));
  const asOf = asOfWords(drains.find(({ seenAt }) => seenAt !== undefined) ?? {}, now, clockTime);
  const [next = {}] = drains.toSorted((one, other) => deadlineOf(one) - deadlineOf(other));
  const forced = forcedWords(next, now, clockTime);
  const text = [
    `${counted(drains.length, 'node')} draining${first === '' ? ' ' : `, ${first}`}for ${lasts}`,
    ...(asOf === '' ? [] : [` ${asOf}`]),
    ...(isHeld ? [`, ${shareOf(held, drains)}held by ${budgetsOf(held)}`] : []),
    ...(forced === '' ? [] : [`; ${first}${forced}`]),
  ];
  return { text: text.join(''), isHeld };
}

const deadlineOf = ({ until = Infinity }: LeavingView): number => until;

const shareOf = ({ length }: readonly LeavingView[], all: readonly LeavingView[]): string =>
  length === all.length ? '' : `${length} of them `;

function budgetsOf(held: readonly LeavingView[]): string {
  const names = [...new Set(held.flatMap(holdingBudgets))].map(budgetName);
  return `budget ${names.join(', ')}`;
}
