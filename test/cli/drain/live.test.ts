import { describe, expect, it } from 'vitest';
import { liveProgress } from '../../../cli/drain/live.ts';
import type { PlannedPod } from '../../../shared/draining/plan-drain.ts';

const pod: PlannedPod = {
  namespace: 'shop',
  name: 'web-1',
  uid: 'u',
  verdict: 'evict',
  reason: '',
  tier: 'non-critical',
  mayTakeSeconds: 30,
  workload: 'shop/web',
};

const action = { kind: 'evict', pod, workload: 'shop/web' } as const;

/** A task that keeps every line it is given. */
function task() {
  const lines: string[] = [];
  return {
    title: '',
    lines,
    set output(text: string) {
      lines.push(text);
    },
  };
}

describe('live progress', () => {
  it('counts the pods in its title and prints each event once', () => {
    const watched = task();
    const progress = liveProgress('node-1', watched);
    const held = { pod, why: 'budget web', held: true };
    progress.cordoned('node-1');
    progress.answered(action, { kind: 'held', message: 'no' });
    progress.waiting([held]);
    progress.waiting([held]);
    progress.warned('slow');
    expect(watched.title).toBe('Draining node-1: 0 gone, 1 to go, 1 held');
    progress.answered(action, { kind: 'evicted' });
    progress.answered(action, { kind: 'gone' });
    progress.left(pod);
    progress.waiting([]);
    expect(watched.title).toBe('Draining node-1: 1 gone, 0 to go');
    progress.drained();
    expect(watched.title).toBe('Drained node-1: 1 gone');
    expect(watched.lines).toEqual([
      'cordoned',
      'waiting for shop/web-1 (budget web)',
      'warning: slow',
      'evicting pod shop/web-1',
      'pod shop/web-1 is gone',
    ]);
  });
});
