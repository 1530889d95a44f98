import { describe, expect, it } from 'vitest';
import { readStsAnswer } from '../../../shared/identity/sts-answer.ts';

const answer = (result: object): string =>
  JSON.stringify({ GetCallerIdentityResponse: { GetCallerIdentityResult: result, ResponseMetadata: {} } });
const session = {
  Account: '123456789012',
  Arn: 'arn:aws:sts::123456789012:assumed-role/dev/ann',
  UserId: 'AROAQ3EGR6KXEXAMPLE2:ann',
};
const read = (status: number, body: string) => readStsAnswer({ status, body }, 'ASIAQ3EGR6KXEXAMPLE2');

describe('readStsAnswer', () => {
  it('reads the session of a role', () => {
    expect(read(200, answer(session))).toEqual({
      kind: 'identity',
      identity: {
        arn: session.Arn,
        canonicalArn: 'arn:aws:iam::123456789012:role/dev',
        accountId: '123456789012',
        principalId: 'AROAQ3EGR6KXEXAMPLE2',
        sessionName: 'ann',
        accessKeyId: 'ASIAQ3EGR6KXEXAMPLE2',
      },
    });
  });

  it.each([
    [
      'SignatureDoesNotMatch',
      'Signature expired: 20261127T0900 is now earlier',
      ': check the clock of the machine that made it',
    ],
    [
      'SignatureDoesNotMatch',
      'Signature not yet current: 20261127T0900',
      ': check the clock of the machine that made it',
    ],
    ['SignatureDoesNotMatch', 'The request signature we calculated does not match', ''],
    [
      'ExpiredToken',
      'The security token included in the request is expired',
      ': the credentials that made it have expired',
    ],
    [
      'InvalidClientTokenId',
      'The security token included in the request is invalid.',
      ': its access key is inactive or deleted',
    ],
  ])('says what to do about %s: %s', (Code, Message, why) => {
    expect(read(403, JSON.stringify({ Error: { Code, Message } }))).toMatchObject({
      kind: 'refused',
      reason: `STS does not accept it (403)${why}`,
    });
  });

  it('reads a user', () => {
    const user = {
      Account: '123456789012',
      Arn: 'arn:aws:iam::123456789012:user/ann',
      UserId: 'AIDAQ3EGR6KXEXAMPLE2',
    };
    expect(read(200, answer(user))).toMatchObject({
      identity: { canonicalArn: user.Arn, principalId: user.UserId, sessionName: '' },
    });
  });

  it.each([
    ['a refusal of the signature', 403, '{"Error":{"Code":"SignatureDoesNotMatch"}}', 'refused'],
    ['an expired token', 400, '{"Error":{"Code":"ExpiredToken"}}', 'refused'],
    ['an ARN that names no identity', 200, answer({ ...session, Arn: 'arn:aws:s3:::x' }), 'refused'],
    ['an ARN of another account', 200, answer({ ...session, Account: '210987654321' }), 'refused'],
    ['an id of another session', 200, answer({ ...session, UserId: 'AROAQ3EGR6KXEXAMPLE2:bob' }), 'refused'],
    ['an id without a session', 200, answer({ ...session, UserId: 'AROAQ3EGR6KXEXAMPLE2' }), 'refused'],
    [
      'an id with two sessions',
      200,
      answer({ ...session, UserId: 'AROAQ3EGR6KXEXAMPLE2:ann:bob' }),
      'refused',
    ],
    ['throttling with 400', 400, '{"Error":{"Code":"Throttling"}}', 'unavailable'],
    ['429', 429, '', 'unavailable'],
    ['a server error', 500, '{}', 'unavailable'],
    ['a redirect', 302, '', 'unavailable'],
    ['a page of a proxy', 200, '<html>', 'unavailable'],
    ['a page of a proxy with 403', 403, '<html>', 'unavailable'],
    ['an account of eleven digits', 200, answer({ ...session, Account: '12345678901' }), 'unavailable'],
    ['an answer without an ARN', 200, answer({ Account: '123456789012', UserId: 'x' }), 'unavailable'],
    ['no answer', 200, '', 'unavailable'],
  ])('%s is never an identity', (_, status, body, kind) => {
    expect(read(status, body).kind).toBe(kind);
  });

  it('takes no words of a request that the message quotes for throttling', () => {
    const Message = 'The Canonical String should have been X-Amz-Security-Token=ThrottlingSlowDown';
    const body = JSON.stringify({ Error: { Code: 'SignatureDoesNotMatch', Message } });
    expect(read(403, body)).toMatchObject({ kind: 'refused', check: 'sts' });
  });

  it('distinguishes throttling from other answers', () => {
    expect(read(429, '')).toMatchObject({ isThrottled: true });
    expect(read(503, '')).toMatchObject({ isThrottled: false });
  });
});
