import { describe, expect, it } from 'vitest';
import { comparableArn, readCallerArn } from '../../../shared/identity/arn.ts';

describe('readCallerArn', () => {
  it.each([
    [
      'arn:aws:sts::123456789012:assumed-role/dev/ann@example.com',
      'arn:aws:iam::123456789012:role/dev',
      'ann@example.com',
    ],
    [
      'arn:aws-cn:sts::123456789012:assumed-role/node/i-0123456789abcdef0',
      'arn:aws-cn:iam::123456789012:role/node',
      'i-0123456789abcdef0',
    ],
    ['arn:aws-eusc:sts::123456789012:assumed-role/dev/me', 'arn:aws-eusc:iam::123456789012:role/dev', 'me'],
  ])('makes of a session its role: %s', (arn, canonicalArn, sessionName) => {
    expect(readCallerArn(arn)).toEqual({ accountId: '123456789012', canonicalArn, sessionName });
  });

  it.each([
    'arn:aws:iam::123456789012:user/ann',
    'arn:aws:iam::123456789012:user/team/ann',
    'arn:aws:iam::123456789012:role/dev',
    'arn:aws:iam::123456789012:root',
    'arn:aws-us-gov:sts::123456789012:federated-user/bob',
    'arn:aws-iso-b:iam::123456789012:user/ann',
  ])('leaves %s as it is', (arn) => {
    expect(readCallerArn(arn)).toEqual({ accountId: '123456789012', canonicalArn: arn });
  });

  it.each([
    '',
    'ann',
    'arn:aws:s3:::bucket',
    'arn:evil:iam::123456789012:user/ann',
    'arn:aws:iam::12345678901:user/ann',
    'arn:aws:iam::123456789012:group/dev',
    'arn:aws:sts::123456789012:assumed-role/dev',
    'arn:aws:sts::123456789012:assumed-role/path/dev/me',
    'arn:aws:iam::123456789012:user/ann\n',
    ' arn:aws:iam::123456789012:root',
  ])('refuses %j', (arn) => {
    expect(readCallerArn(arn)).toBeUndefined();
  });
});

describe('comparableArn', () => {
  it('leaves out the path of a role, which STS does not say, and not that of a user', () => {
    expect(comparableArn('arn:aws:iam::123456789012:role/a/b/Dev')).toBe(
      'arn:aws:iam::123456789012:role/dev',
    );
    expect(comparableArn('arn:aws:iam::123456789012:user/a/b/Ann')).toBe(
      'arn:aws:iam::123456789012:user/a/b/ann',
    );
  });

  it('folds no letter beyond ASCII', () => {
    expect(comparableArn('arn:aws:iam::123456789012:user/\u212aate')).toBe(
      'arn:aws:iam::123456789012:user/\u212aate',
    );
  });
});
