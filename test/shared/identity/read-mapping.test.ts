import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMatch } from '../../../shared/identity/mapping.ts';
import { readMapping } from '../../../shared/identity/read-mapping.ts';

const rolearn = 'arn:aws:iam::123456789012:role/team/dev';
const role = { rolearn, username: 'dev:{{SessionName}}', groups: ['devs'] };
const nodeGroups = ['system:nodes', 'system:bootstrappers', 'system:node-proxier'];
const userarn = 'arn:aws:iam::123456789012:user/ann';

describe('readMapping', () => {
  it('reads the three lists of aws-auth', () => {
    const documents = {
      mapRoles: [role],
      mapUsers: [{ userarn, username: 'ann' }],
      mapAccounts: ['123456789012'],
    };
    expect(readMapping(documents, 'all')).toEqual({
      mapping: {
        roles: [{ arn: rolearn, username: 'dev:{{SessionName}}', groups: ['devs'] }],
        users: [{ arn: userarn, username: 'ann', groups: [] }],
        accounts: ['123456789012'],
      },
      problems: [],
    });
  });

  it('keeps the good entries of a bad document, and names the others', () => {
    const { mapping, problems } = readMapping(
      { mapRoles: [{ rolearn: 'x' }, role, 7], mapUsers: 'none' },
      'all',
    );
    expect(mapping.roles).toHaveLength(1);
    expect(problems).toEqual([
      'mapRoles[0]: rolearn is not the ARN of a role',
      'mapRoles[2]: it is not a map',
      'mapUsers is not a list',
    ]);
  });

  it.each([
    [
      'a wildcard',
      { ...role, rolearn: 'arn:aws:iam::123456789012:role/*' },
      'rolearn is not the ARN of a role',
    ],
    ['a user among roles', { ...role, rolearn: userarn }, 'rolearn is not the ARN of a role'],
    [
      'a session among roles',
      { ...role, rolearn: 'arn:aws:sts::123456789012:assumed-role/dev/me' },
      'rolearn is not the ARN of a role',
    ],
    [
      'a username that YAML reads as a number',
      { ...role, username: 1234 },
      'username is not a string: write it in quotes',
    ],
    ['no username', { rolearn }, 'username is missing'],
    ['groups as a text', { ...role, groups: 'devs' }, 'groups is not a list of strings'],
    ['a group that is a number', { ...role, groups: [1] }, 'groups is not a list of strings'],
  ])('leaves out an entry with %s', (_, entry, problem) => {
    expect(readMapping({ mapRoles: [entry] }, 'all')).toEqual({
      mapping: { roles: [], users: [], accounts: [] },
      problems: [`mapRoles[0]: ${problem}`],
    });
  });

  it.each([
    ['system:masters', { ...role, groups: ['devs', 'system:masters'] }],
    ['the administrators of kubeadm', { ...role, groups: ['kubeadm:cluster-admins'] }],
    ['a name of the control plane', { ...role, username: 'system:kube-scheduler' }],
    ['Drover', { ...role, groups: ['drover'] }],
    ['the approver of certificates', { ...role, groups: ['devs', 'drover:certificates'] }],
    ['the right to join a control plane', { ...role, groups: ['system:bootstrappers:drover:control-plane'] }],
    ['the groups of service accounts', { ...role, groups: ['system:serviceaccounts:kube-system'] }],
    ['the name of any instance', { ...role, username: 'drover:instance:{{SessionName}}' }],
    ['the name of a certain node', { ...role, username: 'system:node:cp-1', groups: ['system:nodes'] }],
    ['the name of a node by another template', { ...role, username: 'system:node:{{AccountID}}' }],
    ['the name of a node with a suffix', { ...role, username: 'system:node:{{SessionName}}.cp-1' }],
    [
      'the group of Drover beside those of nodes',
      { ...role, username: 'system:node:{{SessionName}}', groups: ['drover'] },
    ],
  ])('gives %s only from a source that may', (_, entry) => {
    expect(readMapping({ mapRoles: [entry] }, 'all').mapping.roles).toHaveLength(1);
    expect(readMapping({ mapRoles: [entry] }, 'nodes-at-most')).toMatchObject({
      mapping: { roles: [] },
      problems: [expect.stringMatching(/is (?:not allowed here|allowed here only)/)],
    });
  });

  it.each([...nodeGroups])('gives the group %s only with the name of the own instance', (group) => {
    const people = readMapping({ mapRoles: [{ ...role, groups: [group] }] }, 'nodes-at-most');
    expect(people.problems).toEqual([
      `mapRoles[0]: the group ${group} is allowed here only with the username system:node:{{EC2PrivateDNSName}} or system:node:{{SessionName}}`,
    ]);
  });

  it('never gives a reserved name from a limited source, in whatever spelling', () => {
    const prefix = fc.constantFrom(
      'system:',
      'System:',
      'SYSTEM:',
      'kubeadm:',
      'drover',
      'Drover:',
      'drover:',
      ' system:',
    );
    const name = fc
      .tuple(prefix, fc.constantFrom('', 'masters', 'nodes2', 'x', 'node:cp-1', 'serviceaccounts:a'))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(name, fc.boolean(), (odd, isName) => {
        const entry = isName ? { ...role, username: odd } : { ...role, groups: ['devs', odd] };
        expect(readMapping({ mapRoles: [entry] }, 'nodes-at-most').mapping.roles).toEqual([]);
      }),
    );
  });

  it('gives the name of a node from any source', () => {
    const entry = {
      ...role,
      username: 'system:node:{{EC2PrivateDNSName}}',
      groups: ['system:bootstrappers', 'system:nodes'],
    };
    expect(readMapping({ mapRoles: [entry] }, 'nodes-at-most').problems).toEqual([]);
  });

  it('takes an account that YAML reads as a number, unless it lost leading zeros', () => {
    expect(readMapping({ mapAccounts: [123456789012, 12345678901, 1e20, null] }, 'all')).toEqual({
      mapping: { roles: [], users: [], accounts: ['123456789012'] },
      problems: [1, 2, 3].map(
        (place) => `mapAccounts[${place}] is not a string of twelve digits: write it in quotes`,
      ),
    });
  });

  it('reads the names of fields in any case, as aws-iam-authenticator does', () => {
    const anyCase = (text: string) =>
      fc.array(fc.boolean(), { minLength: text.length, maxLength: text.length }).map((upper) =>
        text
          .split('')
          .map((one, at) => (upper[at] ? one.toUpperCase() : one))
          .join(''),
      );
    const keys = fc.tuple(anyCase('rolearn'), anyCase('username'), anyCase('groups'), anyCase('userarn'));
    fc.assert(
      fc.property(keys, ([arn, username, groups, user]) => {
        const mapRoles = [{ [arn]: rolearn, [username]: 'dev', [groups]: ['devs'] }];
        const mapUsers = [{ [user]: userarn, [username]: 'ann' }];
        expect(readMapping({ mapRoles, mapUsers }, 'all')).toEqual({
          mapping: {
            roles: [{ arn: rolearn, username: 'dev', groups: ['devs'] }],
            users: [{ arn: userarn, username: 'ann', groups: [] }],
            accounts: [],
          },
          problems: [],
        });
      }),
    );
  });

  it.each([
    [{ rolearn, roleARN: rolearn, username: 'x' }, 'the key rolearn is there twice, in another case'],
    [{ rolearn, username: null }, 'username is missing'],
    [{ userarn, username: 'x' }, 'rolearn is missing'],
    [{ rolearn: null, username: 'x' }, 'rolearn is missing'],
  ])('leaves out %j: %s', (entry, problem) => {
    expect(readMapping({ mapRoles: [entry, role] }, 'all')).toMatchObject({
      mapping: { roles: [{ arn: rolearn }] },
      problems: [`mapRoles[0]: ${problem}`],
    });
  });

  it('names each entry that a later one for the same ARN replaces', () => {
    const other = { ...role, rolearn: 'arn:aws:iam::123456789012:role/ops' };
    const sameRole = { ...role, rolearn: 'arn:aws:iam::123456789012:role/DEV' };
    expect(readMapping({ mapRoles: [role, {}, other, sameRole] }, 'all').problems).toEqual([
      'mapRoles[1]: rolearn is missing',
      'mapRoles[0]: mapRoles[3] has the same ARN, and the last one counts',
    ]);
  });
});

describe('an entry for a permission set of IAM Identity Center', () => {
  const sso = { permissionSetName: 'Admin', accountID: '123456789012' };
  const entry = { sso, username: 'admin:{{SessionName}}', groups: ['admins'] };
  const identity = (name: string, accountId = '123456789012') => ({
    arn: '',
    canonicalArn: `arn:aws:iam::${accountId}:role/${name}`,
    accountId,
    principalId: '',
    sessionName: 'ann@example.com',
    accessKeyId: '',
  });
  const mapped = (name: string, mapRoles: readonly unknown[] = [entry], accountId?: string) =>
    findMatch(identity(name, accountId), [readMapping({ mapRoles }, 'nodes-at-most').mapping])?.entry
      .username;

  it('matches the role of the set with every suffix, and no other role', () => {
    const digits = fc.stringMatching(/^[0-9a-f]{16}$/);
    const name = fc.stringMatching(/^[\w+=,.@-]{1,20}$/);
    fc.assert(
      fc.property(digits, name, (suffix, other) => {
        expect(mapped(`AWSReservedSSO_Admin_${suffix}`)).toBe(entry.username);
        expect(mapped(`AWSReservedSSO_Admin_${other}_${suffix}`)).toBeUndefined();
        expect(mapped(`AWSReservedSSO_${other}Admin_${suffix}`)).toBeUndefined();
        expect(mapped(`AWSReservedSSO_Admin_${suffix}0`)).toBeUndefined();
        expect(mapped(other)).toBeUndefined();
        expect(mapped(`AWSReservedSSO_Admin_${suffix}`, [entry], '210987654321')).toBeUndefined();
      }),
    );
  });

  it('has fields in any case, an account as a number, and a partition', () => {
    const odd = { SSO: { permissionsetname: 'admin', AccountId: 123456789012, Partition: 'aws' } };
    expect(mapped('AWSReservedSSO_Admin_0123456789abcdef', [{ ...odd, username: 'x' }])).toBe('x');
    const china = { ...entry, sso: { ...sso, partition: 'aws-cn' } };
    expect(mapped('AWSReservedSSO_Admin_0123456789abcdef', [china])).toBeUndefined();
  });

  it('is replaced by a later entry for one of its roles, and says nothing of it', () => {
    const one = 'arn:aws:iam::123456789012:role/AWSReservedSSO_Admin_0123456789abcdef';
    const both = [entry, { rolearn: one, username: 'later' }];
    expect(mapped('AWSReservedSSO_Admin_0123456789abcdef', both)).toBe('later');
    expect(mapped('AWSReservedSSO_Admin_fedcba9876543210', both)).toBe(entry.username);
    expect(readMapping({ mapRoles: [entry, entry] }, 'all').problems).toEqual([
      'mapRoles[0]: mapRoles[1] has the same ARN, and the last one counts',
    ]);
  });

  it.each([
    [{ sso: 'Admin' }, 'sso: it is not a map'],
    [{ sso: { accountID: '123456789012' } }, 'sso: permissionSetName is not the name of a permission set'],
    [
      { sso: { ...sso, permissionSetName: '*' } },
      'sso: permissionSetName is not the name of a permission set',
    ],
    [
      { sso: { ...sso, accountID: 'x' } },
      'sso: accountID is not a string of twelve digits: write it in quotes',
    ],
    [
      { sso: { ...sso, accountId: '210987654321' } },
      'sso: the key accountid is there twice, in another case',
    ],
    [{ sso: { ...sso, partition: 'aws-mars' } }, 'sso: partition is not a partition of AWS'],
    [{ sso, rolearn }, 'it has both rolearn and sso: write one of them'],
    [{ sso, username: '' }, 'username is missing'],
    [
      { sso, username: 'system:node:{{SessionName}}' },
      'sso is for users: no instance has the role of a permission set',
    ],
  ])('is left out, and named: %j', (part, problem) => {
    const odd = { username: 'x', ...part };
    expect(readMapping({ mapRoles: [odd] }, 'all').problems).toEqual([`mapRoles[0]: ${problem}`]);
  });

  it('is only for roles', () => {
    expect(readMapping({ mapUsers: [entry] }, 'all').problems).toEqual([
      'mapUsers[0]: sso is only for mapRoles',
    ]);
  });
});
