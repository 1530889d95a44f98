import { describe, expect, it } from 'vitest';
import { readMapping } from '../../../shared/identity/read-mapping.ts';

const rolearn = 'arn:aws:iam::123456789012:role/team/dev';
const role = { rolearn, username: 'dev:{{SessionName}}', groups: ['devs'] };
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
      'mapRoles[0]: rolearn is no ARN of a role',
      'mapRoles[2]: it is no map',
      'mapUsers is no list',
    ]);
  });

  it.each([
    ['a wildcard', { ...role, rolearn: 'arn:aws:iam::123456789012:role/*' }, 'rolearn is no ARN of a role'],
    ['a user among roles', { ...role, rolearn: userarn }, 'rolearn is no ARN of a role'],
    [
      'a session among roles',
      { ...role, rolearn: 'arn:aws:sts::123456789012:assumed-role/dev/me' },
      'rolearn is no ARN of a role',
    ],
    [
      'a username that YAML reads as a number',
      { ...role, username: 1234 },
      'username is no text: write it in quotes',
    ],
    ['no username', { rolearn }, 'username is missing'],
    ['groups as a text', { ...role, groups: 'devs' }, 'groups is no list of texts'],
    ['a group that is a number', { ...role, groups: [1] }, 'groups is no list of texts'],
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
  ])('gives %s only from a source that may', (_, entry) => {
    expect(readMapping({ mapRoles: [entry] }, 'all').mapping.roles).toHaveLength(1);
    expect(readMapping({ mapRoles: [entry] }, 'nodes-at-most')).toMatchObject({
      mapping: { roles: [] },
      problems: [expect.stringMatching(/may not be given here/)],
    });
  });

  it('gives the name of a node from any source', () => {
    const entry = {
      ...role,
      username: 'system:node:{{EC2PrivateDNSName}}',
      groups: ['system:bootstrappers', 'system:nodes'],
    };
    expect(readMapping({ mapRoles: [entry] }, 'nodes-at-most').problems).toEqual([]);
  });

  it('takes no account that YAML reads as a number', () => {
    expect(readMapping({ mapAccounts: [123456789012] }, 'all')).toMatchObject({
      mapping: { accounts: [] },
      problems: ['mapAccounts[0] is no text of twelve digits: write it in quotes'],
    });
  });
});
