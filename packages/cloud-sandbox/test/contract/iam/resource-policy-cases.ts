import { expect } from 'vitest';
import type { Decision } from '../../../src/aws/iam/evaluate.ts';
import type { Cases } from '../../../truth/contract.ts';
import { accountId, all, type IamWorld, policy, queueArn, roleArn, sessionArn } from './support.ts';

interface Sides {
  readonly identity?: readonly object[];
  readonly resource: readonly object[];
}

const send = { Action: 'sqs:SendMessage', Resource: queueArn };
const own = [{ Effect: 'Allow', ...send }];
const statement = (Principal: unknown, more: object = {}) => ({
  Effect: 'Allow',
  Principal,
  ...send,
  ...more,
});

const decides =
  ({ identity = [], resource }: Sides, expected: Decision | 'refused') =>
  async ({ decide }: IamWorld): Promise<void> => {
    const decided = await decide({
      action: 'sqs:SendMessage',
      resource: queueArn,
      policies: [policy(...identity)],
      resourcePolicy: policy(...resource),
    });
    expect([resource, decided]).toEqual([resource, expected]);
  };

const assumes =
  ({ identity = [], resource }: Sides, expected: Decision | 'refused') =>
  async ({ decide }: IamWorld): Promise<void> => {
    const decided = await decide({
      action: 'sts:AssumeRole',
      resource: `arn:aws:iam::${accountId}:role/other`,
      policies: [policy(...identity)],
      resourcePolicy: policy(...resource),
    });
    expect([resource, decided]).toEqual([resource, expected]);
  };

const trust = (Principal: unknown, Effect = 'Allow') => ({ Effect, Principal, Action: 'sts:AssumeRole' });
const mayAssume = [{ Effect: 'Allow', Action: 'sts:AssumeRole', Resource: '*' }];

/** Policies of queues and roles to a caller of their own account (IAM user guide, "Policy evaluation logic", "Principal"). */
export const resourcePolicyCases: Cases<IamWorld> = {
  'a resource policy that names everyone, the role or its session allows without an identity policy': all(
    decides({ resource: [statement('*')] }, 'allowed'),
    decides({ resource: [statement({ AWS: '*' })] }, 'allowed'),
    decides({ resource: [statement({ AWS: roleArn })] }, 'allowed'),
    decides({ resource: [statement({ AWS: ['arn:aws:iam::123456789012:user/u', sessionArn] })] }, 'allowed'),
  ),
  'a resource policy that names the account leaves the decision to the policies of the role': all(
    decides({ resource: [statement({ AWS: accountId })] }, 'implicit-deny'),
    decides({ resource: [statement({ AWS: `arn:aws:iam::${accountId}:root` })] }, 'implicit-deny'),
    decides({ identity: own, resource: [statement({ AWS: accountId })] }, 'allowed'),
  ),
  'a resource policy that names other principals or a service has no effect': all(
    decides({ resource: [statement({ AWS: '210987654321' })] }, 'implicit-deny'),
    decides({ resource: [statement({ AWS: `${roleArn}x` })] }, 'implicit-deny'),
    decides({ resource: [statement({ Service: 'events.amazonaws.com' })] }, 'implicit-deny'),
    decides({ identity: own, resource: [statement({ Service: 'events.amazonaws.com' })] }, 'allowed'),
  ),
  'a deny in the identity policy or the resource policy wins': all(
    decides({ identity: own, resource: [statement('*', { Effect: 'Deny' })] }, 'explicit-deny'),
    decides({ identity: own, resource: [statement({ AWS: roleArn }, { Effect: 'Deny' })] }, 'explicit-deny'),
    decides(
      { identity: own, resource: [statement({ AWS: accountId }, { Effect: 'Deny' })] },
      'explicit-deny',
    ),
    decides(
      { resource: [statement('*'), statement({ AWS: accountId }, { Effect: 'Deny' })] },
      'explicit-deny',
    ),
    decides({ identity: [{ Effect: 'Deny', ...send }], resource: [statement('*')] }, 'explicit-deny'),
    decides({ identity: own, resource: [statement({ AWS: `${roleArn}x` }, { Effect: 'Deny' })] }, 'allowed'),
  ),
  'a resource policy applies only to its actions, resources and conditions': all(
    decides({ resource: [statement('*', { Action: 'sqs:ReceiveMessage' })] }, 'implicit-deny'),
    decides({ resource: [statement('*', { Resource: `${queueArn}2` })] }, 'implicit-deny'),
    decides(
      { resource: [statement('*', { Condition: { Bool: { 'aws:SecureTransport': 'true' } } })] },
      'implicit-deny',
    ),
  ),
  'a resource policy needs a principal': decides({ resource: own }, 'refused'),
  'a role can be assumed only by a principal that it trusts': all(
    assumes({ identity: mayAssume, resource: [trust({ Service: 'lambda.amazonaws.com' })] }, 'implicit-deny'),
    assumes({ identity: mayAssume, resource: [trust({ AWS: accountId })] }, 'allowed'),
    assumes({ resource: [trust({ AWS: accountId })] }, 'implicit-deny'),
    assumes(
      { identity: mayAssume, resource: [trust({ AWS: accountId }), trust('*', 'Deny')] },
      'explicit-deny',
    ),
  ),
  'a principal that a role trusts by name needs no identity policy in the same account': assumes(
    { resource: [trust({ AWS: roleArn })] },
    'allowed',
  ),
};
