import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  endAfter,
  longestHoldSeconds,
  refuseEnd,
  refuseHold,
  satisfies,
} from '../../../../shared/capacity/holds/check-hold.ts';
import { type Hold, mostHeldNodes } from '../../../../shared/capacity/holds/hold.ts';
import { group, hour, start } from './fixtures.ts';

const hold = (changes: Partial<Hold> = {}): Hold => ({
  autoScalingGroupName: 'workers',
  name: 'sale',
  nodes: 6,
  until: start + hour,
  raiseMaxSize: false,
  createdAt: start,
  ...changes,
});

const refusal = (changes: Partial<Hold> = {}, maxSizeLimit?: number, tags = group().tags) =>
  refuseHold(
    group({ tags }),
    hold(changes),
    maxSizeLimit === undefined ? { now: start } : { now: start, maxSizeLimit },
  );

describe('an end as a duration from now', () => {
  it('is a whole second, and never earlier than requested', () => {
    expect(endAfter(60, start)).toBe(start + 60_000);
    expect(endAfter(60, start + 1)).toBe(start + 61_000);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: longestHoldSeconds }), fc.nat(1e12), (seconds, now) => {
        const end = endAfter(seconds, now);
        expect(end % 1000).toBe(0);
        expect(end - now).toBeGreaterThanOrEqual(seconds * 1000);
        expect(end - now).toBeLessThan((seconds + 1) * 1000);
      }),
    );
  });
});

describe('a requested hold', () => {
  it('may ask for up to MaxSize of its group', () => {
    expect(refusal({ nodes: 10 })).toBeUndefined();
    expect(refusal({ nodes: 1 })).toBeUndefined();
  });

  it('is refused in a group whose sizes are units, because a hold asks for nodes', () => {
    expect(refuseHold(group({ countsUnits: true }), hold(), { now: start })).toEqual({
      cause: 'invalid',
      reason: expect.stringContaining('no size in nodes'),
    });
  });

  it.each<[string, Partial<Hold>, string]>([
    ['with a name that cannot be a segment of a parameter name', { name: 'a/b' }, 'the name of a hold'],
    ['with the name of a schedule’s hold', { name: 'office-hours.20261201T0805Z' }, 'a schedule’s hold'],
    ['for no nodes', { nodes: 0 }, 'asks for 1 to'],
    ['for half a node', { nodes: 1.5 }, 'asks for 1 to'],
    ['for more nodes than a group may have', { nodes: mostHeldNodes + 1, raiseMaxSize: true }, 'asks for 1'],
    ['that ends now', { until: start }, 'is in the past'],
  ])('is refused %s', (_, changes, reason) => {
    expect(refusal(changes)).toEqual({ cause: 'invalid', reason: expect.stringContaining(reason) });
  });

  it('is refused for a group of etcd', () => {
    const tags = { ...group().tags, 'drover.dev/role': 'etcd' };
    expect(refusal({}, undefined, tags)?.cause).toBe('etcd');
  });

  it('is refused above MaxSize unless it raises MaxSize, up to maxSizeLimit if that is known', () => {
    expect(refusal({ nodes: 11 })?.cause).toBe('out-of-bounds');
    expect(refusal({ nodes: 11, raiseMaxSize: true })).toBeUndefined();
    expect(refusal({ nodes: mostHeldNodes, raiseMaxSize: true })).toBeUndefined();
    expect(refusal({ nodes: 20, raiseMaxSize: true }, 20)).toBeUndefined();
    expect(refusal({ nodes: 21, raiseMaxSize: true }, 20)?.cause).toBe('out-of-bounds');
  });

  it('may use a MaxSize above maxSizeLimit', () => {
    expect(refusal({ nodes: 10 }, 5)).toBeUndefined();
    expect(refusal({ nodes: 11, raiseMaxSize: true }, 5)?.cause).toBe('out-of-bounds');
  });
});

describe('the end of a hold', () => {
  const longest = start + longestHoldSeconds * 1000;

  it.each<[string, number, string | undefined]>([
    ['is refused now', start, 'is in the past'],
    ['may be a moment later', start + 1, undefined],
    ['may be a year later', longest, undefined],
    ['is refused after that', longest + 1, 'within a year'],
  ])('%s', (_, until, reason) => {
    const refused = reason && { cause: 'invalid', reason: expect.stringContaining(reason) };
    expect(refuseEnd(until, start)).toEqual(refused);
  });
});

describe('an existing hold', () => {
  const standing = hold({ by: 'ana' });

  it('satisfies the same request of any maker', () => {
    expect(satisfies(standing, { hold: hold({ by: 'ben' }) })).toBe(true);
  });

  it.each<[string, Partial<Hold>]>([
    ['other nodes', { nodes: 7 }],
    ['another end', { until: start + 2 * hour }],
    ['another say about MaxSize', { raiseMaxSize: true }],
  ])('does not satisfy %s', (_, changes) => {
    expect(satisfies(standing, { hold: hold({ ...changes, by: 'ana' }) })).toBe(false);
  });

  const later = hold({ by: 'ana', until: start + hour + 5000 });
  const { createdAt: _, ...unknownSince } = standing;

  it('satisfies a repeated request of its maker with the same duration', () => {
    expect(satisfies(standing, { hold: later, durationSeconds: 3600 })).toBe(true);
    expect(satisfies(standing, { hold: later })).toBe(false);
  });

  it('satisfies a request of its maker that would end earlier', () => {
    const sooner = hold({ by: 'ana', until: start + 60_000 });
    expect(satisfies(standing, { hold: sooner, durationSeconds: 60 })).toBe(true);
    expect(satisfies(standing, { hold: sooner })).toBe(false);
  });

  it.each<[string, Hold, Hold, number]>([
    ['of another maker', standing, { ...later, by: 'ben' }, 3600],
    ['that is another one', standing, later, 3605],
    ['for other nodes', standing, { ...later, nodes: 7 }, 3600],
    ['without knowing when it was made', unknownSince, later, 3600],
  ])('does not satisfy a duration %s', (_, stands, wanted, durationSeconds) => {
    expect(satisfies(stands, { hold: wanted, durationSeconds })).toBe(false);
  });
});
