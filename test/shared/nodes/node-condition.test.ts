import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kubeletAfter } from '../../../shared/nodes/node-condition.ts';

const end = Date.parse('2026-11-21T07:00:00Z');
const nodeThat = (status: string, reportedAt?: number) => ({
  status: {
    conditions: [
      {
        type: 'Ready',
        status,
        ...(reportedAt !== undefined && { lastHeartbeatTime: new Date(reportedAt).toISOString() }),
      },
    ],
  },
});
const minute = 60_000;

describe('the kubelet of an instance that has ended', () => {
  it('is silent if the node controller says so, or if nothing was ever reported', () => {
    const later = end + 10 * minute;
    for (const isExact of [true, false]) {
      expect(kubeletAfter(nodeThat('Unknown', later), { at: end, isExact }, later)).toBe('silent');
      expect(kubeletAfter({}, { at: end, isExact }, later)).toBe('silent');
    }
  });

  it.each(['True', 'False'])('reports, if it does so a minute after the end (Ready %s)', (status) => {
    const node = nodeThat(status, end + 5000);
    expect(kubeletAfter(node, { at: end, isExact: true }, end + 59_000)).toBe('unsettled');
    expect(kubeletAfter(node, { at: end, isExact: true }, end + minute)).toBe('reports');
  });

  it('is silent if EC2 reported the time of the end, and the last report is not later', () => {
    fc.assert(
      fc.property(fc.integer({ min: -100, max: 0 }), fc.integer({ min: 0, max: 100 }), (before, after) => {
        const node = nodeThat('True', end + before * minute);
        expect(kubeletAfter(node, { at: end, isExact: true }, end + after * minute)).toBe('silent');
      }),
    );
  });

  it('counts as reporting without a time of the last report, because nothing proves the opposite', () => {
    expect(kubeletAfter(nodeThat('True'), { at: end, isExact: true }, end + minute)).toBe('reports');
  });
});
