import { AutoScalingServiceException } from '@aws-sdk/client-auto-scaling';
import { describe, expect, it } from 'vitest';
import { hasCode, isThrottled, refusalOf, statusOf } from '../../../shared/aws/errors.ts';

const answered = (name: string, httpStatusCode = 400): Error =>
  new AutoScalingServiceException({ name, message: 'no', $fault: 'client', $metadata: { httpStatusCode } });

describe('an error', () => {
  it.each([
    'Throttling',
    'ThrottlingException',
    'RequestLimitExceeded',
    'SlowDown',
    'PriorRequestNotComplete',
  ])('named %s is a throttle', (name) => {
    expect(isThrottled(answered(name))).toBe(true);
  });

  it('is recognized as throttling only by its status', () => {
    expect(isThrottled(answered('Unknown', 429))).toBe(true);
    expect(isThrottled(answered('Unknown', 500))).toBe(false);
    expect(isThrottled('Throttling')).toBe(false);
  });

  it('has the status of its HTTP response', () => {
    expect(statusOf(answered('ValidationError'))).toBe(400);
    expect(statusOf(new Error('socket hang up'))).toBeUndefined();
  });

  it('is about AWS, and not about the request, if its status is 500 or more', () => {
    for (const status of [500, 502, 503, 504, 599])
      expect(refusalOf(answered('InternalFailure', status))).toBe('unavailable');
    for (const status of [400, 404, 409, 499])
      expect(refusalOf(answered('InternalFailure', status))).toBeUndefined();
  });

  it.each(['ECONNRESET', 'EAI_AGAIN', 'HPE_INVALID_CONSTANT'])(
    'with the code %s is not a verdict on the request: AWS did not answer',
    (code) => {
      expect(refusalOf(Object.assign(new Error('no'), { code }))).toBe('unavailable');
      expect(refusalOf(Object.assign(new Error('no'), { code: `NOT_${code}` }))).toBeUndefined();
    },
  );

  it.each(['AccessDenied', 'AccessDeniedException', 'UnauthorizedOperation'])(
    'named %s denies the call, as each service spells it',
    (name) => {
      expect(refusalOf(answered(name, 403))).toBe('denied');
    },
  );

  it('has its name as the code', () => {
    expect(hasCode(answered('ValidationError'), 'AccessDenied', 'ValidationError')).toBe(true);
    expect(hasCode({ name: 'ValidationError' }, 'ValidationError')).toBe(false);
  });
});
