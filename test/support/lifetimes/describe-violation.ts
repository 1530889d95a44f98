import type { Violation } from './rules/rule.ts';

/** A description of a violation: the seed, what must always hold, what was found, and what happened before. */
export const describeViolation = ({ seed, rule, sentence, finding, at, before }: Violation): string =>
  [
    `seed ${seed} breaks ${rule} at ${at}`,
    `  must hold: ${sentence}`,
    `  found: ${finding}`,
    ...before.map((line) => `    ${line}`),
    `  again: LIFETIMES_SEED=${seed} npm run test:heavy`,
  ].join('\n');
