import { describe, expect, it } from 'vitest';
import type { MappedArn } from '../../../shared/identity/mapping.ts';
import { readMapping } from '../../../shared/identity/read-mapping.ts';
import type { Identity } from '../../../shared/identity/sts-answer.ts';
import { type InstanceOfIdentity, userOf } from '../../../shared/identity/user.ts';

const instanceId = 'i-0123456789abcdef0';
const identityWith = (part: Partial<Identity> = {}): Identity => ({
  arn: 'arn:aws:sts::123456789012:assumed-role/dev/ann@example.com',
  canonicalArn: 'arn:aws:iam::123456789012:role/dev',
  accountId: '123456789012',
  principalId: 'AROAQ3EGR6KXEXAMPLE2',
  sessionName: 'ann@example.com',
  accessKeyId: 'ASIAQ3EGR6KXEXAMPLE2',
  ...part,
});

const mapping = (...entries: readonly Omit<MappedArn, 'arn'>[]) =>
  readMapping(
    { mapRoles: entries.map((entry) => ({ rolearn: 'arn:aws:iam::123456789012:role/team/Dev', ...entry })) },
    'all',
  ).mapping;

describe('userOf', () => {
  it('fills in the templates of the entry that names the role, whatever its path and case', () => {
    const sources = [
      mapping({ username: 'dev:{{SessionName}}', groups: ['of-{{AccountID}}', 'raw-{{SessionNameRaw}}'] }),
    ];
    expect(userOf({ identity: identityWith(), sources })).toEqual({
      kind: 'user',
      place: 'mapRoles arn:aws:iam::123456789012:role/team/Dev',
      user: {
        username: 'dev:ann-example.com',
        uid: 'aws-iam-authenticator:123456789012:AROAQ3EGR6KXEXAMPLE2',
        groups: ['of-123456789012', 'raw-ann@example.com'],
        extra: {
          arn: ['arn:aws:sts::123456789012:assumed-role/dev/ann@example.com'],
          canonicalArn: ['arn:aws:iam::123456789012:role/dev'],
          sessionName: ['ann@example.com'],
          accessKeyId: ['ASIAQ3EGR6KXEXAMPLE2'],
          principalId: ['AROAQ3EGR6KXEXAMPLE2'],
          'sigs.k8s.io/aws-iam-authenticator/principalId': ['AROAQ3EGR6KXEXAMPLE2'],
        },
      },
    });
  });

  it('takes the last of two entries, and the first of two sources', () => {
    const sources = [
      mapping({ username: 'one', groups: [] }, { username: 'two', groups: [] }),
      mapping({ username: 'three', groups: [] }),
    ];
    expect(userOf({ identity: identityWith(), sources })).toMatchObject({ user: { username: 'two' } });
  });

  it('names the source in the place of the entry', () => {
    const named = { ...mapping({ username: 'one', groups: [] }), source: 'aws-auth' };
    expect(userOf({ identity: identityWith(), sources: [named] })).toMatchObject({
      place: 'aws-auth mapRoles arn:aws:iam::123456789012:role/team/Dev',
    });
  });

  it('does not match a prefix of an ARN', () => {
    const identity = identityWith({ canonicalArn: 'arn:aws:iam::123456789012:role/developers' });
    expect(userOf({ identity, sources: [mapping({ username: 'dev', groups: [] })] }).kind).toBe('unmapped');
  });

  it('lets everybody of a mapped account in by the ARN, without groups', () => {
    const sources = [readMapping({ mapAccounts: ['123456789012'] }, 'all').mapping];
    expect(userOf({ identity: identityWith(), sources })).toMatchObject({
      user: { username: 'arn:aws:iam::123456789012:role/dev', groups: [] },
    });
    expect(userOf({ identity: identityWith({ accountId: '210987654321' }), sources }).kind).toBe('unmapped');
  });

  it.each([
    ['a group', { username: 'dev', groups: ['system:{{SessionName}}'] }, 'masters'],
    ['the group of nodes', { username: 'dev', groups: ['system:{{SessionNameRaw}}'] }, 'nodes'],
    ['a name', { username: '{{SessionName}}:kube-controller-manager', groups: [] }, 'system'],
    ['the group of Drover', { username: 'dev', groups: ['{{SessionName}}'] }, 'drover'],
    ['a group of Drover', { username: 'dev', groups: ['drover:{{SessionName}}'] }, 'certificates'],
    ['a group of kubeadm', { username: 'dev', groups: ['kubeadm:{{SessionName}}'] }, 'cluster-admins'],
  ])(
    'lets no session complete %s of Kubernetes itself by the name that it chose',
    (_, entry, sessionName) => {
      const identity = identityWith({ sessionName });
      expect(userOf({ identity, sources: [mapping(entry)] })).toMatchObject({
        kind: 'unmapped',
        reason: expect.stringContaining('reserved for Kubernetes or Drover'),
      });
    },
  );

  it.each([
    ['a template that has no value', { username: 'x:{{SessionName}}', groups: [] }],
    ['a template that is not known', { username: 'x:{{Nothing}}', groups: [] }],
    ['a template that is a word of JavaScript', { username: 'x:{{constructor}}', groups: [] }],
    ['a template that is not closed', { username: 'x:{{SessionName', groups: [] }],
  ])('admits no identity by %s', (_, entry) => {
    const identity = identityWith({ sessionName: '' });
    expect(userOf({ identity, sources: [mapping(entry)] }).kind).toBe('unmapped');
  });
});

describe('userOf a node', () => {
  const node = {
    username: 'system:node:{{EC2PrivateDNSName}}',
    groups: ['system:bootstrappers', 'system:nodes'],
  };
  const identity = identityWith({ sessionName: instanceId });
  const running = {
    isRunning: true,
    privateDnsName: 'ip-10-0-0-7.eu-west-1.compute.internal',
    roleArn: 'arn:aws:iam::123456789012:role/team/dev',
  };
  const decide = (instance: InstanceOfIdentity, entry = node) =>
    userOf({ identity, sources: [mapping(entry)], looked: { instance } });

  it('asks for the instance first', () => {
    expect(userOf({ identity, sources: [mapping(node)] })).toEqual({ kind: 'needs-instance', instanceId });
  });

  it('is one if the instance runs with that role, and says so in extra', () => {
    expect(decide(running)).toMatchObject({
      user: {
        username: 'system:node:ip-10-0-0-7.eu-west-1.compute.internal',
        groups: ['system:bootstrappers', 'system:nodes'],
        extra: { 'drover.dev/instance-id': [instanceId] },
      },
    });
  });

  it.each([
    ['is not known', undefined],
    ['has stopped', { ...running, isRunning: false }],
    ['has another role', { ...running, roleArn: 'arn:aws:iam::123456789012:role/other' }],
    [
      'has a role of that name in another account',
      { ...running, roleArn: 'arn:aws:iam::210987654321:role/dev' },
    ],
    ['has no profile', { ...running, roleArn: undefined }],
    ['has no name', { ...running, privateDnsName: undefined }],
  ])('is none if the instance %s', (_, instance) => {
    expect(decide(instance).kind).toBe('unmapped');
  });

  it.each([
    ['the group of nodes', { username: 'dev', groups: ['system:nodes'] }],
    ['the name of a node', { username: 'system:node:{{SessionName}}', groups: [] }],
  ])('needs an instance for %s too', (_, entry) => {
    expect(userOf({ identity, sources: [mapping(entry)] }).kind).toBe('needs-instance');
    expect(userOf({ identity: identityWith(), sources: [mapping(entry)] }).kind).toBe('unmapped');
  });
});
