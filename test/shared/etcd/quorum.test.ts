import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quorumOf, reasonAgainstRemoval, type Voter } from '../../../shared/etcd/quorum.ts';

const voters = fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }).map((health): readonly Voter[] =>
  health.map((healthy, index) => ({
    healthy,
    member: { id: String(index), name: `m${index}`, peerUrls: [], clientUrls: [], isLearner: false },
  })),
);

describe('the removal of a voter', () => {
  it('is allowed only if a quorum of the remaining voters is healthy', () => {
    fc.assert(
      fc.property(voters, fc.nat({ max: 8 }), (all, which) => {
        const leaving = String(which % all.length);
        const remaining = all.filter(({ member }) => member.id !== leaving);
        const healthy = remaining.filter((voter) => voter.healthy).length;
        const isAllowed = reasonAgainstRemoval(all, leaving) === undefined;
        expect(isAllowed).toBe(remaining.length > 0 && healthy > remaining.length / 2);
      }),
    );
  });

  it('is refused with the numbers that are missing', () => {
    const [one, two, three] = [true, true, false].map((healthy, index) => ({
      healthy,
      member: { id: String(index), name: 'm', peerUrls: [], clientUrls: [], isLearner: false },
    }));
    if (!one || !two || !three) throw new Error('three were made');
    expect(reasonAgainstRemoval([one, two, three], '0')).toBe(
      'of the 2 remaining members 1 can vote, and 2 must',
    );
    expect(reasonAgainstRemoval([one], '0')).toMatch(/last member/);
  });

  it.each([
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 3],
    [5, 3],
    [7, 4],
  ])('of a cluster of %i has a quorum of %i', (size, quorum) => {
    expect(quorumOf(size)).toBe(quorum);
  });
});
