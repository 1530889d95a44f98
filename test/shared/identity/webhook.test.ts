import { createManualClock } from '@drover/cloud-sandbox/test/aws/support/manual-clock.ts';
import { describe, expect, it } from 'vitest';
import {
  answerTokenReview,
  answerWebhook,
  readTokenReview,
  type WebhookContext,
} from '../../../shared/identity/webhook.ts';
import { presignedUrl, signedAt, tokenOf } from './tokens.ts';

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

  it('is read as Kubernetes 1.11 sends it, with the empty fields of its Go types', () => {
    const sent = `{"kind":"TokenReview","apiVersion":"authentication.k8s.io/v1beta1","metadata":{"creationTimestamp":null},"spec":{"token":"x"},"status":{"user":{}}}\n`;
    expect(readTokenReview(sent)).toEqual({
      apiVersion: 'authentication.k8s.io/v1beta1',
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

describe('a call of the webhook', () => {
  const secret = 's'.repeat(40);
  const sent = {
    method: 'POST',
    path: '/token-review',
    basePath: '',
    query: new URLSearchParams(),
    headers: { authorization: `Bearer ${secret}` },
    body: JSON.stringify(review),
  };

  /** What is answered, and what is written to the log. */
  async function answerTo(call: Partial<typeof sent>, parts: Partial<WebhookContext> = {}) {
    const recorded: unknown[] = [];
    const context: WebhookContext = {
      clock: createManualClock(),
      now: () => signedAt,
      partition: 'aws',
      askSts: () => Promise.reject(new Error('nothing else is asked')),
      readSecrets: async () => ({ current: secret }),
      readMappings: [],
      findInstance: () => Promise.reject(new Error('nothing else is asked')),
      record: (fields) => void recorded.push(fields),
      reportError: () => undefined,
      ...parts,
    };
    try {
      return { answer: await answerWebhook(context, { ...sent, ...call }), recorded };
    } catch (error) {
      return { problem: (error as { problem: { status: number } }).problem, recorded };
    }
  }

  it.each([
    ['to another path', { path: '/' }, 404],
    ['with another method', { method: 'GET' }, 405],
    ['with a body that no TokenReview has', { body: 'x'.repeat(16_385) }, 413],
    ['without the secret', { headers: { authorization: 'Bearer x' } }, 403],
    ['with another object', { body: '{}' }, 400],
  ])('%s is refused, and nothing is logged', async (_, call, status) => {
    expect(await answerTo(call)).toMatchObject({ problem: { status }, recorded: [] });
  });

  it('with a secret that cannot be read is tried again', async () => {
    const readSecrets = () => Promise.reject(new Error('Throttling'));
    expect(await answerTo({}, { readSecrets })).toMatchObject({
      problem: { status: 503 },
      recorded: [],
    });
  });

  it('with a bearer of another authenticator is not logged, and one that STS refuses is', async () => {
    expect(await answerTo({})).toMatchObject({ answer: { statusCode: 200 }, recorded: [] });
    const body = JSON.stringify({ ...review, spec: { token: tokenOf(await presignedUrl()) } });
    const ofSts = (status: number) => async () => ({ status, body: '{"Error":{"Code":"ExpiredToken"}}' });
    expect(await answerTo({ body }, { askSts: ofSts(403) })).toMatchObject({
      answer: { statusCode: 200 },
      recorded: [{ verdict: 'refused', check: 'sts' }],
    });
    expect(await answerTo({ body }, { askSts: ofSts(429) })).toMatchObject({
      problem: { status: 503 },
      recorded: [],
    });
  });
});
