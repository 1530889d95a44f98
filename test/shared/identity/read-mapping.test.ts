import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBroken, listsOf, parseDocuments, readMapping } from '../../../shared/identity/read-mapping.ts';

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

  it('takes no account that YAML reads as a number', () => {
    expect(readMapping({ mapAccounts: [123456789012] }, 'all')).toMatchObject({
      mapping: { accounts: [] },
      problems: ['mapAccounts[0] is not a string of twelve digits: write it in quotes'],
    });
  });
});

const roles = [{ rolearn: 'arn:aws:iam::123456789012:role/dev', username: 'dev' }];

describe('parseDocuments', () => {
  it.each([
    ['YAML', 'mapRoles:\n- rolearn: arn:aws:iam::123456789012:role/dev\n  username: dev\n'],
    ['JSON', JSON.stringify({ mapRoles: roles })],
    [
      'the ConfigMap, with a list in a text',
      JSON.stringify({ kind: 'ConfigMap', data: { mapRoles: JSON.stringify(roles) } }),
    ],
    ['the ConfigMap, with a list', JSON.stringify({ kind: 'ConfigMap', data: { mapRoles: roles } })],
  ])('reads %s', (_, text) => {
    expect(parseDocuments(text)).toEqual({ documents: { mapRoles: roles }, problems: [] });
  });

  it('keeps the lists that can be read', () => {
    const { documents, problems } = parseDocuments(
      JSON.stringify({ mapRoles: '[', mapAccounts: '["123456789012"]' }),
    );
    expect(documents).toEqual({ mapAccounts: ['123456789012'] });
    expect(problems).toEqual([expect.stringMatching(/^mapRoles: it is not YAML: /)]);
  });

  it('reads nothing of fields that it does not know', () => {
    expect(parseDocuments('{"mapGroups": [], "mapUsers": []}').documents).toEqual({ mapUsers: [] });
  });

  it.each(['{"maproles": []}', '{"kind": "ConfigMap", "data": {"MapRoles": "[]"}}', '{"kind": "ConfigMap"}'])(
    'says that none of the lists is in %s',
    (text) => {
      expect(parseDocuments(text)).toEqual({
        documents: {},
        problems: ['it has none of mapRoles, mapUsers and mapAccounts'],
      });
    },
  );

  it('reads an empty map as an empty mapping', () => {
    expect(parseDocuments('{}')).toEqual({ documents: {}, problems: [] });
  });

  it.each([
    ['a list', '[]'],
    ['a text', 'hello'],
    ['nothing', ''],
    ['null', 'null'],
  ])('reports that %s is not a mapping', (_, text) => {
    expect(parseDocuments(text)).toEqual({
      documents: {},
      problems: ['it is not a map with mapRoles, mapUsers or mapAccounts'],
    });
  });

  it('does not unfold a short text into a long one', () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefgh'.split('').map((name, index) => {
        const before = 'abcdefg'[index];
        return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(',')}]`;
      }),
      'mapRoles: *h',
    ].join('\n');
    expect(parseDocuments(bomb).problems).toEqual([expect.stringMatching(/^it is not YAML: /)]);
  });

  it('runs no tag of YAML, and prints nothing', () => {
    const { documents } = parseDocuments('mapRoles: !!js/function "function () {}"');
    expect(typeof documents.mapRoles).not.toBe('function');
  });
});

describe('isBroken', () => {
  const one = "'[{}]'";
  it.each([
    ['no YAML', 'mapRoles: ['],
    ['another form', '[]'],
    ['nothing but a comment', '# empty'],
    ['none of the lists', 'maproles: []'],
    ['a list that is a map', 'mapRoles: {}'],
    ['a ConfigMap whose only list cannot be read', "data: {mapRoles: '['}"],
    ['a ConfigMap with empty lists beside one that cannot be read', "data: {mapRoles: '[', mapUsers: '[]'}"],
    ['a ConfigMap with a text instead of a list', "data: {mapRoles: 'x'}"],
  ])('is a broken source, empty by mistake: %s', (_, text) => {
    expect(isBroken(parseDocuments(text))).toBe(true);
  });

  it('is a ConfigMap that has none of the lists, as where their names are mistyped, and no empty one', () => {
    const reading = listsOf({ maproles: '[]' });
    expect(reading.problems).toEqual(['it has none of mapRoles, mapUsers and mapAccounts']);
    expect(isBroken(reading)).toBe(true);
    expect(isBroken(listsOf({}))).toBe(false);
  });

  it.each([
    ['nobody', '{}'],
    ['an empty list', 'mapRoles: []'],
    ['a list without a value', 'mapRoles:'],
    ['a ConfigMap with an empty list', "data: {mapRoles: '[]'}"],
    ['only bad entries', 'mapRoles: [{}]'],
    ['a list beside one that cannot be read', `data: {mapRoles: '[', mapUsers: ${one}}`],
    ['a list beside one that is a map', 'mapRoles: {}\nmapUsers: [{}]'],
  ])('is not a broken source: %s', (_, text) => {
    expect(isBroken(parseDocuments(text))).toBe(false);
  });
});

describe('a mapping that costs much to read', () => {
  const many = (count: number, line: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => line(index)).join('\n');

  it.each([
    ['is longer than a ConfigMap', 'x'.repeat(1024 * 1024 + 1), 'longer than 1048576 characters'],
    ['has 8,000 anchors and aliases', many(8000, (i) => `- &a${i} x\n- *a${i}`), 'more than 200 anchors'],
    ['has 8,000 anchors', many(8000, (i) => `- &a${i} x`), 'more than 200 anchors'],
  ])('is refused without being parsed if it %s', (_, mapRoles, problem) => {
    expect(listsOf({ mapRoles }).problems).toEqual([expect.stringContaining(problem)]);
  });

  it('is read in little time if a map has 20,000 keys', () => {
    const before = process.cpuUsage();
    expect(listsOf({ mapRoles: many(20_000, (i) => `k${i}: 1`) }).problems).toEqual([]);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(5);
  });

  it.each(['- {a: 1, a: 2}', '- a: 1\n  "a": 2', '- 1: x\n  1: y'])(
    'is refused if a map has a key twice: %j',
    (mapRoles) => {
      expect(listsOf({ mapRoles }).problems).toEqual(['mapRoles: it is not YAML: Map keys must be unique']);
    },
  );

  it('is read if an anchor is used a few times', () => {
    const groups = '- groups: &nodes [system:nodes]\n- groups: *nodes\n- groups: "*nodes"';
    expect(listsOf({ mapRoles: groups }).documents.mapRoles).toEqual([
      { groups: ['system:nodes'] },
      { groups: ['system:nodes'] },
      { groups: '*nodes' },
    ]);
  });
});
