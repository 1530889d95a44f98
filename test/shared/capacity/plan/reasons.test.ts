import { expect, it } from 'vitest';
import {
  claimDeleted,
  claimNotFound,
  countReasons,
  reasons,
  reasonsMessage,
  volumeNotFound,
} from '../../../../shared/capacity/plan/reasons.ts';

it('the message counts nodes by reason, in the order of the scheduler', () => {
  const counts = countReasons([
    ['Insufficient cpu', 'Insufficient memory'],
    ['Insufficient cpu'],
    ['Too many pods'],
    [],
  ]);
  expect(reasonsMessage(4, counts)).toBe(
    '0/4 nodes are available: 1 Insufficient memory, 1 Too many pods, 2 Insufficient cpu.',
  );
});

it.each([claimNotFound('data'), claimDeleted('data'), volumeNotFound('pv-1'), reasons.unboundImmediate])(
  'the message says "%s" of the pod, without a number',
  (reason) => {
    expect(reasonsMessage(3, countReasons([[reason], [reason], [reason]]))).toBe(
      `0/3 nodes are available: ${reason}.`,
    );
  },
);

it('the message of a cluster without nodes says so', () => {
  expect(reasonsMessage(0, new Map())).toBe('no nodes available to schedule pods');
});
