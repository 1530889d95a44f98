import * as fc from 'fast-check';
import { stringify } from 'yaml';

const accounts = ['123456789012', '210987654321', '012345678901'] as const;

/** ARNs as an operator writes them, and as one mistypes them. */
const mappedArn = fc.constantFrom(
  'arn:aws:iam::123456789012:role/dev',
  'arn:aws:iam::123456789012:role/Dev',
  'ARN:AWS:IAM::123456789012:ROLE/DEV',
  'arn:aws:iam::123456789012:role/team/dev',
  'arn:aws:iam::123456789012:role/dev*',
  'arn:aws:iam::123456789012:role/ops',
  'arn:aws:iam::210987654321:role/dev',
  'arn:aws-cn:iam::123456789012:role/dev',
  'arn:aws:iam::123456789012:role/\u212aube',
  'arn:aws:sts::123456789012:assumed-role/dev/ann',
  'arn:aws:iam::123456789012:user/ann',
  'arn:aws:iam::123456789012:user/Ann',
  'arn:aws:iam::123456789012:user/people/ann',
  'arn:aws:iam::123456789012:root',
  'arn:aws:sts::123456789012:federated-user/bob',
  'dev',
  '',
);

/** Identities as STS names them, with the ARN that mappings know. */
export const mappedIdentity = fc
  .constantFrom(
    'arn:aws:iam::123456789012:role/dev',
    'arn:aws:iam::123456789012:role/ops',
    'arn:aws:iam::123456789012:role/kube',
    'arn:aws:iam::210987654321:role/dev',
    'arn:aws-cn:iam::123456789012:role/dev',
    'arn:aws:iam::123456789012:user/ann',
    'arn:aws:iam::123456789012:user/people/ann',
    'arn:aws:iam::123456789012:root',
    'arn:aws:sts::123456789012:federated-user/bob',
    'arn:aws:iam::012345678901:user/eve',
  )
  .map((canonicalArn) => ({ canonicalArn, accountId: canonicalArn.split(':')[4] ?? '' }));

const name: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('dev', 'ops:{{SessionName}}', 'x', 'true-name') },
  { weight: 1, arbitrary: fc.constantFrom<unknown>('', 1234, true, null, ['x'], 'yes', '0123', '1_000') },
);

const groups: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.array(fc.constantFrom('devs', 'ops', 'system:masters'), { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, 'devs', [1], [''], {}) },
);

const entryOf = (key: 'rolearn' | 'userarn'): fc.Arbitrary<unknown> =>
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record(
        { [key]: mappedArn, username: name, groups },
        { requiredKeys: [key, 'username'] },
      ) as fc.Arbitrary<unknown>,
    },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(null, 'dev', 7, {}, []) },
  );

const account: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...accounts) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(123456789012, '12345', '', null) },
);

const list = (entry: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.array(entry, { maxLength: 4 }).map((entries) => stringify(entries)) },
    { weight: 2, arbitrary: fc.array(entry, { maxLength: 4 }).map((entries) => JSON.stringify(entries)) },
    { weight: 1, arbitrary: fc.constantFrom('', '""', '[', '{}', '- rolearn: [', 'null') },
  );

/** The data of a ConfigMap aws-auth, right or wrong. */
export const mappingDocument: fc.Arbitrary<Readonly<Record<string, string>>> = fc.record(
  { mapRoles: list(entryOf('rolearn')), mapUsers: list(entryOf('userarn')), mapAccounts: list(account) },
  { requiredKeys: [] },
) as fc.Arbitrary<Readonly<Record<string, string>>>;
