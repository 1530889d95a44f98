import { describe, expect, it } from 'vitest';
import { answerTokenReview, readTokenReview } from '../../../shared/identity/webhook.ts';

const apiVersion = 'authentication.k8s.io/v1';
const review = { apiVersion, kind: 'TokenReview', spec: { token: 'x', audiences: ['a'] } };

describe('a TokenReview', () => {
  it('is read in both versions', () => {
    for (const version of ['v1', 'v1beta1'])
      expect(
        readTokenReview(JSON.stringify({ ...review, apiVersion: `authentication.k8s.io/${version}` })),
      ).toEqual({
        apiVersion: `authentication.k8s.io/${version}`,
        kind: 'TokenReview',
        spec: { token: 'x' },
      });
  });

  it.each([
    ['another version', { ...review, apiVersion: 'authentication.k8s.io/v2' }],
    ['another group', { ...review, apiVersion: 'v1' }],
    ['another kind', { ...review, kind: 'SelfSubjectReview' }],
    ['no token', { ...review, spec: {} }],
    ['a token that is not a text', { ...review, spec: { token: 1 } }],
    ['no spec', { apiVersion, kind: 'TokenReview' }],
    ['null', null],
  ])('is not one with %s', (_, value) => {
    expect(readTokenReview(JSON.stringify(value))).toBeUndefined();
  });

  it('is answered without a reason and without an audience', () => {
    expect(answerTokenReview({ apiVersion }, undefined)).toEqual({
      apiVersion,
      kind: 'TokenReview',
      status: { authenticated: false },
    });
    const user = { username: 'ann', uid: '1', groups: [], extra: {} };
    expect(answerTokenReview({ apiVersion }, user)).toEqual({
      apiVersion,
      kind: 'TokenReview',
      status: { authenticated: true, user },
    });
  });
});
