import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { judgeRepairs } from '../../../../shared/sweep/repair/judge-repairs.ts';
import { ago, condition, minutes, nodeOf, nodesWith, now, silentNode, workers } from './support.ts';

/** Each verdict with its reason, on Thursday at 12:00 UTC. */
const judged = (window: string, ...failing: readonly Node[]) =>
  judgeRepairs({
    now,
    groups: [
      workers({
        tags: { 'drover.dev/repair': 'NotReady=10m ReadOnly=5m', 'drover.dev/repair-window': window },
      }),
    ],
    nodes: nodesWith(failing),
    replacements: new Map([['workers', { count: 0 }]]),
  }).map(({ node, verdict, reason }) => [node, verdict, reason]);

const readOnly = condition('ReadOnly', 'True', ago(60 * minutes));
const degraded = nodeOf(1, [readOnly]);
const silent = condition('Ready', 'Unknown', ago(minutes));
const opens = 'it is still Ready, and the window of its group opens at 2026-01-02T09:00:00.000Z';
const due = 'it has failed for as long as its group allows';

describe('the window of repair', () => {
  it('holds a node that is still Ready until it opens', () => {
    expect(judged('Fri 09:00-16:00', degraded)).toEqual([['node-1', 'wait', opens]]);
    expect(judged('Thu 09:00-16:00', degraded)).toEqual([['node-1', 'repair', due]]);
  });

  it('does not hold one that is not Ready', () => {
    expect(judged('Fri 09:00-16:00', silentNode(1))).toEqual([['node-1', 'repair', due]]);
    expect(judged('Fri 09:00-16:00', nodeOf(1, [readOnly, silent]))).toEqual([['node-1', 'repair', due]]);
  });

  it('lets one that is not Ready go before one that waits for it', () => {
    expect(judged('Fri 09:00-16:00', degraded, silentNode(2))).toEqual([
      ['node-1', 'wait', opens],
      ['node-2', 'repair', due],
    ]);
  });

  it('that cannot be read holds only a node that is still Ready', () => {
    expect(judged('on Fridays', degraded, silentNode(2))).toEqual([
      ['node-1', 'wait', 'it is still Ready, and the tag drover.dev/repair-window cannot be read'],
      ['node-2', 'repair', due],
    ]);
  });
});
