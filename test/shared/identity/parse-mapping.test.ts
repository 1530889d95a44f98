import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBroken, listsOf, parseDocuments } from '../../../shared/identity/parse-mapping.ts';
import { readMapping } from '../../../shared/identity/read-mapping.ts';
import { growthOf, linearGrowth } from '../../support/growth.ts';

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
    ['an empty mapping', '{}'],
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
    [
      'is a third of a ConfigMap of commas',
      `[${','.repeat(350_000)}]`,
      'more YAML tokens than a mapping of its length',
    ],
    ['is a million brackets', '['.repeat(1_000_000), 'more YAML tokens than a mapping of its length'],
  ])('is refused without being parsed if it %s', (_, mapRoles, problem) => {
    expect(listsOf({ mapRoles }).problems).toEqual([expect.stringContaining(problem)]);
  });

  it('is read in little time if a map has 20,000 keys', () => {
    const read = (keys: number) => listsOf({ mapRoles: many(keys, (i) => `k${i}: 1`) });
    expect(read(20_000).problems).toEqual([]);
    expect(growthOf(read, 20_000)).toBeLessThan(linearGrowth);
  });

  it.each(['- {a: 1, a: 2}', '- a: 1\n  "a": 2', '- 1: x\n  1: y'])(
    'is refused if a map of its only entry has a key twice: %j',
    (mapRoles) => {
      expect(listsOf({ mapRoles }).problems).toEqual([
        expect.stringMatching(/^mapRoles: it is not YAML: the key [a1] is there twice$/),
      ]);
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

describe('a broken entry', () => {
  const arn = (name: string) => `arn:aws:iam::123456789012:role/${name}`;
  const good = (name: string) => `- rolearn: ${arn(name)}\n  username: ${name}\n  groups: [devs]\n`;
  const broken = [
    `- rolearn: ${arn('x')}\n   username: x\n`,
    '- rolearn: [\n',
    '- "rolearn: x\n',
    '- username: x\n  username: y\n',
    `- rolearn: ${arn('x')}\n  username: x: y\n`,
    '- {rolearn: a, rolearn: b}\n',
    '-\trolearn: x\n\tusername: y\n',
    '- *nothing\n',
    '- }\n',
  ];

  it('costs no other entry of its list, wherever it is and however many there are', () => {
    const entry = fc.oneof(
      fc.integer({ min: 0, max: 9 }).map((name) => ({ text: good(`dev${name}`), name: `dev${name}` })),
      fc.constantFrom(...broken).map((text) => ({ text, name: undefined })),
      fc.constant({ text: '# a comment\n\n', name: undefined }),
    );
    const lists = fc.tuple(
      fc.array(entry, { maxLength: 6 }),
      fc.constantFrom('', '  '),
      fc.constantFrom('\n', '\r\n'),
    );
    fc.assert(
      fc.property(lists, ([entries, indent, end]) => {
        const all = [...entries, { text: good('last'), name: 'last' }];
        const text = all
          .flatMap((one) => one.text.split('\n'))
          .map((line) => (line === '' ? '' : indent + line))
          .join(end);
        const { documents } = listsOf({ mapRoles: text });
        const { mapping } = readMapping(documents, 'all');
        expect(mapping.roles.map(({ username }) => username)).toEqual(all.flatMap(({ name }) => name ?? []));
      }),
    );
  });

  it.each(broken)('is named with its place: %j', (text) => {
    const { documents, problems } = listsOf({ mapRoles: good('dev') + text + good('ops') });
    const reading = readMapping(documents, 'all');
    expect(problems).toEqual([]);
    expect(reading.problems).toEqual([expect.stringMatching(/^mapRoles\[1\]: (?:it is not|the key)/)]);
    expect(reading.mapping.roles).toHaveLength(2);
  });

  it('with a key twice costs no other in a file with lists of its own, or in the object as kubectl prints it', () => {
    const list = [good('dev'), '- {rolearn: a, rolearn: b}\n', good('ops')].join('');
    const { documents, problems } = parseDocuments(`mapRoles:\n${list}mapUsers: []\nmapUsers: []\n`);
    expect(problems).toEqual(['the key mapUsers is there twice']);
    expect(readMapping(documents, 'all')).toMatchObject({
      mapping: { roles: [{ username: 'dev' }, { username: 'ops' }] },
      problems: ['mapRoles[1]: the key rolearn is there twice'],
    });
    const inner = list.replaceAll(/^/gm, '    ');
    const object = `kind: ConfigMap\nmetadata: {name: a, name: b}\ndata:\n  mapRoles: |\n${inner}`;
    const ofObject = parseDocuments(object);
    expect(ofObject.problems).toEqual(['the key name is there twice']);
    expect(readMapping(ofObject.documents, 'all').mapping.roles).toHaveLength(2);
  });

  it('leaves the list broken as a whole if no entry of it can be read', () => {
    const reading = listsOf({ mapRoles: '- rolearn: [\n- "x\n' });
    expect(reading.problems).toEqual([expect.stringMatching(/^mapRoles: it is not YAML: /)]);
    expect(isBroken(reading)).toBe(true);
  });

  it('is read in little time in a text with the most entries that a ConfigMap may hold', () => {
    const before = process.cpuUsage();
    expect(listsOf({ mapRoles: `${'-\n'.repeat(500_000)}- [` }).problems).toHaveLength(1);
    expect(listsOf({ mapRoles: `${'- a: 1\n'.repeat(1999)}- [` }).problems).toEqual([]);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(8);
  });
});
