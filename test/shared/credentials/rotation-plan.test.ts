import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  planRotation,
  planSummaryOf,
  type RotationObservation,
  type RotationTarget,
  summaryOf,
  validitySeconds,
} from '../../../shared/credentials/rotation-plan.ts';
import type { BootstrapToken } from '../../../shared/credentials/token-cluster.ts';

const now = Date.parse('2026-03-01T00:00:00Z');
const hour = 3_600_000;
const address = { server: 'https://api.example:6443', certificateAuthorityData: 'Q0E=' };
const groups = ['system:bootstrappers:drover:worker'];
const target: RotationTarget = {
  address,
  groups,
  timing: { rotationSeconds: 12 * 3600, overlapSeconds: 3600 },
  forced: false,
};

const token = (id: string, own: Partial<BootstrapToken> = {}): BootstrapToken => ({
  id,
  uid: `uid-${id}`,
  createdAt: now - 2 * hour,
  expiresAt: now + 23 * hour,
  groups,
  ...own,
});
const published = { tokenId: 'aaaaaa', publishedAt: now - 2 * hour, address, refusal: undefined };
const good: RotationObservation = { published, tokens: [token('aaaaaa')] };

const plan = (observation: Partial<RotationObservation> = {}, own: Partial<RotationTarget> = {}) =>
  planRotation({ ...good, ...observation }, { ...target, ...own }, now);

describe('the action of a plan', () => {
  it.each([
    ['what is published is good', () => plan(), 'keep', 'is accepted'],
    ['nothing is published', () => plan({ published: undefined }), 'make', 'nothing is published'],
    ['an operator asks', () => plan({}, { forced: true }), 'make', 'asked for'],
    [
      'the API server has moved',
      () => plan({}, { address: { ...address, server: 'https://new:6443' } }),
      'make',
      'another server',
    ],
    [
      'its certificate authority was replaced',
      () => plan({}, { address: { ...address, certificateAuthorityData: 'Q0Ey' } }),
      'make',
      'certificate authority',
    ],
    [
      'the API server does not accept it',
      () => plan({ published: { ...published, refusal: 'the API server does not know it' } }),
      'make',
      'does not know it',
    ],
    ['the ledger does not have it', () => plan({ tokens: [] }), 'make', 'the ledger does not have it'],
    [
      'other groups are wanted',
      () => plan({}, { groups: ['system:bootstrappers:other'] }),
      'make',
      'other groups',
    ],
    [
      'the rotation period is over',
      () => plan({ published: { ...published, publishedAt: now - 12 * hour } }),
      'make',
      '43200 s ago',
    ],
    [
      'it would expire within one rotation and the slowest boot',
      () => plan({ tokens: [token('aaaaaa', { expiresAt: now + 13 * hour - 1000 })] }),
      'make',
      'expires in 46799 s',
    ],
    [
      'ten tokens of ours are valid',
      () => plan({ tokens: 'abcdefghij'.split('').map((id) => token(id.repeat(6))) }, { forced: true }),
      'blocked',
      '10 tokens of ours are valid',
    ],
    [
      'nine are valid and many have expired',
      () =>
        plan(
          {
            tokens: 'abcdefghijklm'
              .split('')
              .map((id, index) => token(id.repeat(6), index < 9 ? {} : { expiresAt: now })),
          },
          { forced: true },
        ),
      'make',
      'asked for',
    ],
  ])('is decided if %s', (_, planned, expected, words) => {
    const { action, reason } = planned();
    expect(action).toBe(expected);
    expect(reason).toContain(words);
  });
});

describe('the tokens to retire', () => {
  const retired = (observation: Partial<RotationObservation>) =>
    plan(observation).retire.map(({ token }) => token.id);

  it('leave out a token that a node may still hold', () => {
    const replaced = { ...published, publishedAt: now - hour + 1000 };
    expect(retired({ published: replaced, tokens: [token('aaaaaa'), token('bbbbbb')] })).toEqual([]);
  });

  it('are all others once another one has been published for the overlap', () => {
    const replaced = { ...published, publishedAt: now - hour };
    expect(retired({ published: replaced, tokens: [token('aaaaaa'), token('bbbbbb')] })).toEqual(['bbbbbb']);
  });

  it('leave out a token younger than the overlap, which another run may be about to publish', () => {
    expect(retired({ tokens: [token('aaaaaa'), token('bbbbbb', { createdAt: now - hour + 1000 })] })).toEqual(
      [],
    );
  });

  it('are none if nothing is published, because nodes may hold any token', () => {
    expect(retired({ published: undefined, tokens: [token('aaaaaa'), token('bbbbbb')] })).toEqual([]);
  });

  it('never include the published one, and every token has a reason', () => {
    const age = fc.integer({ min: -hour, max: 100 * hour });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(age, age), { maxLength: 12 }),
        age,
        fc.nat(12),
        (ages, publishedAge, index) => {
          const tokens = ages.map(([created, left], order) =>
            token(`t${order}`, { createdAt: now - created, expiresAt: now + left }),
          );
          const tokenId = `t${index}`;
          const { retire, retain } = plan({
            tokens,
            published: { ...published, tokenId, publishedAt: now - publishedAge },
          });
          expect(retire.some(({ token }) => token.id === tokenId)).toBe(false);
          expect(retire.length + retain.length).toBe(tokens.length);
          expect([...retire, ...retain].every(({ reason }) => reason !== '')).toBe(true);
        },
      ),
    );
  });
});

describe('a rotation plan', () => {
  it('reports whether the published address changes', () => {
    expect(plan()).toMatchObject({ moves: false, server: address.server });
    expect(plan({ published: undefined }).moves).toBe(false);
    const moved = { ...address, server: 'https://new:6443' };
    expect(plan({}, { address: moved })).toMatchObject({ moves: true, server: moved.server });
  });

  it('gives a reason for each token that stays', () => {
    const { retain } = plan({ tokens: [token('aaaaaa'), token('bbbbbb', { createdAt: now - hour + 1000 })] });
    expect(retain).toEqual([
      { token: token('aaaaaa'), reason: 'it is published' },
      {
        token: token('bbbbbb', { createdAt: now - hour + 1000 }),
        reason: 'a node may still hold it for 1 s',
      },
    ]);
    expect(plan({ published: undefined }).retain[0]?.reason).toContain('nothing is published');
  });

  it('ignores the order of groups, and does not change it', () => {
    const wanted = ['system:b', 'system:a'];
    const sorted = [...wanted].sort();
    expect(plan({ tokens: [token('aaaaaa', { groups: sorted })] }, { groups: wanted }).action).toBe('keep');
    expect(wanted).toEqual(['system:b', 'system:a']);
  });

  it('keeps a token that outlasts one rotation and the slowest boot', () => {
    expect(plan({ tokens: [token('aaaaaa', { expiresAt: now + 13 * hour })] }).action).toBe('keep');
  });
});

describe('the summary of a plan', () => {
  const made = { tokenId: 'cccccc', expiresAt: now, parameterVersion: 4 };

  it('has ids, times without fractions and reasons, and no secret', () => {
    const tokens = [token('aaaaaa'), token('bbbbbb')];
    const summary = planSummaryOf(plan({ tokens }));
    expect(summary).toMatchObject({ action: 'keep', server: address.server });
    expect(summary.retain).toEqual([
      { tokenId: 'aaaaaa', expiresAt: '2026-03-01T23:00:00Z', reason: 'it is published' },
    ]);
    expect(summary.retire).toMatchObject([{ tokenId: 'bbbbbb', expiresAt: '2026-03-01T23:00:00Z' }]);
  });

  it('names the new credential if one was published', () => {
    const report = { plan: plan(), made } as Parameters<typeof summaryOf>[0];
    expect(summaryOf(report)).toEqual({
      ...planSummaryOf(plan()),
      tokenId: 'cccccc',
      expiresAt: '2026-03-01T00:00:00Z',
      parameterVersion: 4,
    });
    const { made: _made, ...unmade } = report;
    expect(summaryOf(unmade as typeof report)).toEqual(planSummaryOf(plan()));
  });

  it('has a validity of two rotations and the slowest boot', () => {
    expect(validitySeconds(target.timing)).toBe(25 * 3600);
  });
});
