import { describe, expect, it } from 'vitest';
import { onlyEc2, othersThanEc2 } from '../../../cli/doctor/trust-policy.ts';

const policy = (...statements: readonly object[]) =>
  encodeURIComponent(JSON.stringify({ Version: '2012-10-17', Statement: statements }));
const allow = (Principal: unknown, Action: unknown = 'sts:AssumeRole') => ({
  Effect: 'Allow',
  Principal,
  Action,
});
const ec2 = { Service: 'ec2.amazonaws.com' };

describe('othersThanEc2', () => {
  it.each([
    ['the policy that doctor prints', onlyEc2],
    ['only EC2, in a list', policy(allow({ Service: ['ec2.amazonaws.com'] }))],
    ['EC2 of China', policy(allow({ Service: 'ec2.amazonaws.com.cn' }))],
    ['one statement without a list', JSON.stringify({ Statement: allow(ec2) })],
    ['a denial beside it', policy(allow(ec2), { Effect: 'Deny', Principal: '*', Action: '*' })],
    [
      'an action of many wildcards that does not fit',
      policy(allow(ec2), allow({ AWS: '1' }, `${'*?'.repeat(12)}x`)),
    ],
    ['an action that ends earlier', policy(allow(ec2), allow({ AWS: '1' }, 's*:Assume'))],
    [
      'tags that others may give',
      policy(allow(ec2), allow({ AWS: 'arn:aws:iam::123456789012:root' }, 'sts:TagSession')),
    ],
    ['nothing', policy()],
  ])('finds none in %s', (_, document) => {
    expect(othersThanEc2(document)).toEqual([]);
  });

  it.each([
    [
      'a role',
      allow({ AWS: 'arn:aws:iam::123456789012:role/ops' }),
      ['AWS arn:aws:iam::123456789012:role/ops'],
    ],
    [
      'another service beside EC2',
      allow({ Service: ['ec2.amazonaws.com', 'ssm.amazonaws.com'] }),
      ['Service ssm.amazonaws.com'],
    ],
    ['everything', allow('*'), ['*']],
    ['everything by any action', allow({ AWS: '*' }, '*'), ['AWS *']],
    [
      'a web identity',
      allow({ Federated: 'cognito' }, ['sts:AssumeRoleWithWebIdentity']),
      ['Federated cognito'],
    ],
    ['an action with a wildcard', allow({ AWS: '1' }, 'sts:*'), ['AWS 1']],
    ['an action with a wildcard in its name', allow({ AWS: '1' }, 'sts:A?sume*'), ['AWS 1']],
    ['an action of thousands of wildcards', allow({ AWS: '1' }, `${'*'.repeat(5000)}Role`), ['AWS 1']],
    ['an action in another case', allow({ AWS: '1' }, 'STS:assumerole'), ['AWS 1']],
    [
      'everything but a principal',
      { Effect: 'Allow', NotPrincipal: ec2, Action: 'sts:AssumeRole' },
      ['everything but what NotPrincipal names'],
    ],
    [
      'everything but an action',
      { Effect: 'Allow', Principal: { AWS: '1' }, NotAction: 'sts:TagSession' },
      ['AWS 1'],
    ],
    ['a condition that may hold or not', { ...allow({ AWS: '1' }), Condition: {} }, ['AWS 1']],
  ])('finds %s', (_, statement, others) => {
    expect(othersThanEc2(policy(allow(ec2), statement))).toEqual(others);
  });

  it.each(['', 'no policy', '%', '{}', '{"Statement":[{"Effect":1}]}'])('knows nothing of %j', (document) => {
    expect(othersThanEc2(document)).toBeUndefined();
  });
});
