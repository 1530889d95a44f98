import { expect, it } from 'vitest';
import { liveWith, type StrikeKind } from '../support/etcd/struck-life.ts';

/** A sample of the some seventy calls; `npm run test:heavy` fails each of them. */
const some: readonly (readonly [nth: number, kind: StrikeKind])[] = [
  [3, 'kill-after'],
  [9, 'fail-after'],
  [20, 'fail-before'],
  [31, 'fail-after'],
  [44, 'kill-after'],
  [58, 'fail-after'],
];

it.each(some)(
  'call %i of etcd-membership may meet %s: one cluster is born and keeps its quorum',
  async (nth, kind) => {
    expect(await liveWith(nth, kind)).toBe(true);
  },
);
