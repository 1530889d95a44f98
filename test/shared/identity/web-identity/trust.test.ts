import { describe, expect, test } from 'vitest';
import { type TrustRequest, trustOf } from '../../../../shared/identity/web-identity/trust.ts';

const account = 'arn:aws:iam::123456789012';
const nothing = { roles: [], users: [], accounts: [] };
const request = (changes: Partial<TrustRequest> = {}): TrustRequest => ({
  issuerUrl: 'https://a.tokens.sts.global.api.aws',
  audience: 'drover:prod',
  anyMetadataVersion: false,
  nodeRoles: [{ role: 'worker', arn: `${account}:role/worker` }],
  people: [],
  mapping: nothing,
  ...changes,
});
const entry = (arn: string, username = 'ann', groups: readonly string[] = []) => ({ arn, username, groups });
const mapped = (...roles: readonly ReturnType<typeof entry>[]) =>
  trustOf(request({ mapping: { ...nothing, roles } }));

const peopleOf = (reading: ReturnType<typeof trustOf>) =>
  reading.kind === 'trust' ? reading.trust.people : reading.reason;
const leftOutOf = (reading: ReturnType<typeof trustOf>) =>
  reading.kind === 'trust' ? reading.leftOut : reading.reason;

describe('whom API servers are to trust', () => {
  test('is of one account and partition: that of the ARNs', () => {
    expect(trustOf(request())).toMatchObject({
      kind: 'trust',
      trust: { accountId: '123456789012', partition: 'aws', wholeAccount: false },
      leftOut: [],
    });
    const nodeRoles = [{ role: 'worker', arn: 'arn:aws-cn:iam::123456789012:role/w' }] as const;
    expect(trustOf(request({ nodeRoles }))).toMatchObject({ trust: { partition: 'aws-cn' } });
  });

  test.each([
    ['two accounts', { people: [entry('arn:aws:iam::999999999999:role/a')] }, 'exactly one account'],
    ['another account than the issuer’s', { accountId: '999999999999' }, 'not from account 999999999999'],
    ['nothing at all', { nodeRoles: [], accountId: '123456789012' }, 'is given'],
    ['nothing, and no account', { nodeRoles: [] }, 'exactly one account'],
    [
      'a role for two roles of nodes',
      {
        nodeRoles: [
          { role: 'worker', arn: `${account}:role/a/w` },
          { role: 'control-plane', arn: `${account}:role/b/w` },
        ],
      },
      'two roles of nodes',
    ],
    [
      'a user as a role of nodes',
      { nodeRoles: [{ role: 'worker', arn: `${account}:user/w` }] },
      'instances have only roles',
    ],
    [
      'a session',
      { nodeRoles: [{ role: 'worker', arn: 'arn:aws:sts::123456789012:assumed-role/w/i-1' }] },
      'not the ARN of an IAM role or user',
    ],
    [
      'a wildcard',
      { nodeRoles: [{ role: 'worker', arn: `${account}:role/*` }] },
      'not the ARN of an IAM role or user',
    ],
    ['a text', { nodeRoles: [{ role: 'worker', arn: 'worker' }] }, 'not the ARN of an IAM role or user'],
    [
      'system:masters for a user',
      { people: [entry(`${account}:role/a`, 'ann', ['system:masters'])] },
      'system:masters is reserved for Kubernetes',
    ],
    [
      'the name of a node for a user',
      { people: [entry(`${account}:role/a`, 'system:node:x')] },
      'system:node:x is reserved for Kubernetes',
    ],
    [
      'the name of an instance for a user',
      { people: [entry(`${account}:role/a`, 'drover:instance:i-0aaaaaaaaaaaaaaa1')] },
      'reserved for instances',
    ],
    ['a user with a role of nodes', { people: [entry(`${account}:role/x/worker`)] }, 'is a role of nodes'],
    [
      'a session’s name, which no token has',
      { people: [entry(`${account}:role/a`, '{{SessionName}}')] },
      'not its session',
    ],
  ] as const)('is refused for %s', (_, changes, reason) => {
    const reading = trustOf(request(changes));
    expect(reading).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining(reason.replace('’', "'")),
    });
  });

  test('leaves out entries of a file that a token cannot carry, names each, and keeps the others', () => {
    const reading = mapped(
      entry(`${account}:role/dev`, 'dev-{{AccountID}}', ['devs']),
      entry(`${account}:role/ops`, '{{SessionNameRaw}}'),
      entry(`${account}:role/node`, 'system:node:{{EC2PrivateDNSName}}', ['system:nodes']),
      entry(`${account}:role/admin`, 'admin', ['system:masters']),
      entry(`${account}:role/worker`, 'worker'),
      entry('arn:aws:iam::999999999999:role/dev', 'stranger'),
    );
    expect(peopleOf(reading)).toEqual([entry(`${account}:role/dev`, 'dev-123456789012', ['devs'])]);
    expect(leftOutOf(reading)).toHaveLength(5);
    expect(leftOutOf(reading)).toContainEqual(
      expect.stringContaining(`${account}:role/admin: system:masters`),
    );
  });

  test('has one entry for an ARN, with a path or without: the last, and flags after the file', () => {
    const people = [entry(`${account}:role/dev`, 'flag')];
    const roles = [entry(`${account}:role/dev`, 'first'), entry(`${account}:role/a/dev`, 'second')];
    expect(peopleOf(mapped(...roles))).toEqual([roles[1]]);
    expect(peopleOf(trustOf(request({ people, mapping: { ...nothing, roles } })))).toEqual(people);
  });

  test('has a role of nodes once that is given twice', () => {
    const nodeRoles = ['role/a/worker', 'role/worker', 'role/a/worker'].map((name) => ({
      role: 'worker' as const,
      arn: `${account}:${name}`,
    }));
    expect(trustOf(request({ nodeRoles }))).toMatchObject({
      trust: { nodeRoles: [{ role: 'worker', arn: `${account}:role/a/worker` }] },
    });
  });

  test('may be everybody of the issuer’s account, and of no other', () => {
    const accounts = ['123456789012', '999999999999'];
    const reading = trustOf(request({ mapping: { ...nothing, accounts } }));
    expect(reading).toMatchObject({
      trust: { wholeAccount: true },
      leftOut: [expect.stringContaining('999999999999')],
    });
    expect(
      trustOf(request({ nodeRoles: [], accountId: '123456789012', mapping: { ...nothing, accounts } })),
    ).toMatchObject({ kind: 'trust' });
  });

  test('takes the entries of the issuer’s account from a file of several', () => {
    const roles = [entry(`${account}:role/dev`), entry('arn:aws:iam::999999999999:role/dev')];
    const only = { nodeRoles: [], mapping: { ...nothing, roles } };
    expect(trustOf(request(only))).toMatchObject({ kind: 'refused' });
    expect(peopleOf(trustOf(request({ ...only, accountId: '123456789012' })))).toEqual([roles[0]]);
  });
});
