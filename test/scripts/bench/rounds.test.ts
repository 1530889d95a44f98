import { expect, it } from 'vitest';
import { mergeRounds } from '../../../scripts/bench/real/rounds.ts';

it('reports the median of several rounds, and the worst value of what must never happen', () => {
  const round = (seconds: number, lost: number, peerSeconds: number) => ({
    seconds,
    lost,
    kubectl: { seconds: peerSeconds },
  });
  expect(mergeRounds([round(30, 0, 44), round(24, 2, 60), round(25, 0, 45)])).toEqual(round(25, 2, 45));
  expect(mergeRounds([round(30, 1, 44)])).toEqual(round(30, 1, 44));
});
