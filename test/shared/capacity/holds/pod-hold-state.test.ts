import { describe, expect, it } from 'vitest';
import { holdStateOf } from '../../../../shared/capacity/holds/hold-state.ts';
import type { PodsRecord, PodVerdict } from '../../../../shared/capacity/pod-holds/pods-reading.ts';
import { web } from '../pod-holds/fixtures.ts';
import { group, hour, start } from './fixtures.ts';

const minute = 60_000;

const state = ({
  verdict,
  ageMinutes = 1,
  record,
  changes = {},
  createdAt,
  name = 'sale',
}: {
  readonly verdict?: PodVerdict;
  readonly ageMinutes?: number;
  readonly record?: Partial<PodsRecord> | 'none';
  readonly changes?: object;
  readonly createdAt?: number;
  readonly name?: string;
} = {}) =>
  holdStateOf(
    {
      autoScalingGroupName: 'workers',
      name,
      nodes: 0,
      pods: web(),
      until: start + hour,
      raiseMaxSize: false,
      ...(createdAt !== undefined && { createdAt }),
    },
    {
      group: group(),
      nodes: { status: 'unknown', reason: 'no kubeconfig' },
      now: start,
      pods:
        record === 'none'
          ? undefined
          : {
              nodes: 5,
              readAt: start - ageMinutes * minute,
              holds: verdict ? { [name]: verdict } : {},
              ...record,
            },
      ...changes,
    },
  );

describe('the state of a hold for pods', () => {
  it.each(['constructor', 'toString', 'valueOf'])(
    'is unknown without a verdict, also for a hold with the name %s',
    (name) => {
      expect(state({ name })).toEqual({ state: 'unknown', reason: expect.not.stringContaining('undefined') });
      expect(state({ name, verdict: { total: 40, open: 0, placed: 0 } }).state).toBe('met');
    },
  );

  it('is met once each pod has arrived or has room, whether or not the caller may read Nodes', () => {
    expect(state({ verdict: { total: 40, open: 2, placed: 2 } })).toEqual({
      state: 'met',
      reason: '40 of 40 pods have a node or room; read 1 min ago',
    });
  });

  it('is waiting with the number of pods, the reason, and why nodes are missing', () => {
    const verdict = { total: 40, open: 10, placed: 8, why: '5 nodes are needed, and 4 are Ready' };
    expect(state({ verdict, changes: { failedLaunch: 'no capacity' } })).toEqual({
      state: 'waiting',
      reason:
        '38 of 40 pods have a node or room; 5 nodes are needed, and 4 are Ready; read 1 min ago; the last launch failed: no capacity',
    });
  });

  it('is waiting if it asks for more than at the last read', () => {
    expect(state({ verdict: { total: 30, open: 0, placed: 0 } }).state).toBe('waiting');
  });

  it.each([
    ['no read has been made', { record: 'none' as const }, 'has not read the pods yet'],
    [
      'the last read knew nothing of it',
      {},
      'the group has more holds for pods than its record has place for results of; this one counts all the same; read 1 min ago',
    ],
    [
      'it was created after the last read',
      { createdAt: start },
      'prewarm has not read its pods yet: it does each minute',
    ],
    [
      'the last read is old',
      { verdict: { total: 40, open: 0, placed: 0 }, ageMinutes: 90 },
      'prewarm has not read the pods since: see its log; read 2 h ago',
    ],
    [
      'reads fail since',
      {
        verdict: { total: 40, open: 0, placed: 0 },
        record: { failed: { why: 'list pods: forbidden', since: start } },
      },
      'list pods: forbidden; read 1 min ago',
    ],
    [
      'the deployment may not read pods',
      { record: { readAt: undefined as never, failed: { why: 'set podHolds', since: start } } },
      'set podHolds',
    ],
  ])('is unknown if %s', (_, situation, reason) => {
    expect(state(situation)).toEqual({ state: 'unknown', reason: expect.stringContaining(reason) });
  });

  it('is over after its end, and waiting in a group that does not exist', () => {
    expect(state({ changes: { now: start + 2 * hour } }).state).toBe('over');
    expect(state({ changes: { group: undefined } })).toEqual({
      state: 'waiting',
      reason: 'there is no such managed group',
    });
  });
});
