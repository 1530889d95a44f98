import { createManualClock } from '@drover/cloud-sandbox/test/aws/support/manual-clock.ts';
import { describe, expect, it } from 'vitest';
import { keptStsAnswers } from '../../../shared/identity/kept-sts-answers.ts';
import type { PresignedToken } from '../../../shared/identity/read-token.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

const tokenSigned = (signature: string, host = 'sts.eu-west-1.amazonaws.com'): PresignedToken => ({
  kind: 'presigned',
  query: { Action: 'GetCallerIdentity', 'X-Amz-Signature': signature },
  host,
  accessKeyId: 'ASIAQ3EGR6KXEXAMPLE2',
  signedAt: 0,
  expiresAt: 900_000,
});

const accepted = {
  status: 200,
  body: JSON.stringify({
    GetCallerIdentityResponse: {
      GetCallerIdentityResult: {
        Account: '123456789012',
        Arn: 'arn:aws:sts::123456789012:assumed-role/dev/ann',
        UserId: 'AROAQ3EGR6KXEXAMPLE2:ann',
      },
    },
  }),
};
const refused = { status: 403, body: '{"Error":{"Code":"ExpiredToken"}}' };
/** STS has no status of its own for it (aws-iam-authenticator#366, #382, #630). */
const throttled = { status: 400, body: '{"Error":{"Code":"Throttling","Message":"Rate exceeded"}}' };

type Behaviour = typeof accepted | 'hangs' | 'breaks';

function createSts() {
  const clock = createManualClock();
  const asked: string[] = [];
  const kept: string[] = [];
  const sts: { behaviour: Behaviour } = { behaviour: accepted };
  let behind = 0;
  const setBack = (seconds: number): void => void (behind = seconds);
  const ask = keptStsAnswers({
    clock: { ...clock, now: () => clock.now() - behind * 1000 },
    askSts: async ({ query }) => {
      asked.push(query['X-Amz-Signature'] ?? '');
      const { behaviour } = sts;
      if (behaviour === 'breaks') throw new Error('ECONNRESET');
      return behaviour === 'hangs' ? new Promise<never>(() => {}) : behaviour;
    },
    onKept: (error) => kept.push(error instanceof Error ? error.name : ''),
  });
  return { clock, asked, kept, sts, ask, setBack };
}

describe('STS', () => {
  it('is asked about each token, also about one that it accepted a moment ago', async () => {
    const { ask, asked } = createSts();
    for (const signature of ['a', 'b', 'a']) expect(await ask(tokenSigned(signature))).toBe(accepted);
    expect(asked).toEqual(['a', 'b', 'a']);
  });

  it('is asked once for one token that several API servers review at a time', async () => {
    const { ask, asked } = createSts();
    await Promise.all([ask(tokenSigned('a')), ask(tokenSigned('a')), ask(tokenSigned('b'))]);
    expect(asked).toEqual(['a', 'b']);
  });

  it.each([
    ['throttles', throttled, 'StsAwayError'],
    ['fails', { status: 503, body: 'busy' }, 'StsAwayError'],
    ['breaks the connection', 'breaks' as const, 'Error'],
  ])('that %s leaves its last answer about that very token for ten minutes', async (_, behaviour, error) => {
    const { ask, sts, clock, kept } = createSts();
    await ask(tokenSigned('a'));
    sts.behaviour = behaviour;
    clock.advance(599.999);
    expect(await ask(tokenSigned('a'))).toBe(accepted);
    expect(kept).toEqual([error]);
    const outcome = (token: PresignedToken) => ask(token).catch((reason: Error) => reason.message);
    const unknown = behaviour === 'breaks' ? 'ECONNRESET' : behaviour;
    expect(await outcome(tokenSigned('b'))).toEqual(unknown);
    expect(await outcome(tokenSigned('a', 'sts.us-east-1.amazonaws.com'))).toEqual(unknown);
    clock.advance(0.001);
    expect(await outcome(tokenSigned('a'))).toEqual(unknown);
  });

  it('that hangs delays a token that it knows by three seconds', async () => {
    const { ask, sts, clock, kept } = createSts();
    await ask(tokenSigned('a'));
    sts.behaviour = 'hangs';
    const asked = ask(tokenSigned('a'));
    await settled();
    clock.advance(3);
    expect(await Promise.race([asked, settled()])).toBe(accepted);
    expect(kept).toEqual(['NoAnswerInTimeError']);
  });

  it('that refuses a token ends what it said before', async () => {
    const { ask, sts } = createSts();
    await ask(tokenSigned('a'));
    sts.behaviour = refused;
    expect(await ask(tokenSigned('a'))).toBe(refused);
    sts.behaviour = throttled;
    expect(await ask(tokenSigned('a'))).toBe(throttled);
  });

  it('is not kept for longer where the clock was set back since', async () => {
    const { ask, sts, setBack } = createSts();
    await ask(tokenSigned('a'));
    setBack(3600);
    sts.behaviour = throttled;
    expect(await ask(tokenSigned('a'))).toBe(throttled);
  });

  it('that said something else than an identity leaves nothing', async () => {
    const { ask, sts } = createSts();
    for (const behaviour of [{ status: 200, body: '<html>' }, throttled, refused]) {
      sts.behaviour = behaviour;
      await ask(tokenSigned('a'));
    }
    sts.behaviour = throttled;
    expect(await ask(tokenSigned('a'))).toBe(throttled);
  });

  it('is remembered for 5,000 tokens, those that were asked about last', async () => {
    const { ask, sts } = createSts();
    for (let number = 0; number <= 5000; number += 1) await ask(tokenSigned(String(number)));
    sts.behaviour = throttled;
    expect(await ask(tokenSigned('0'))).toBe(throttled);
    expect(await ask(tokenSigned('1'))).toBe(accepted);
  });
});
