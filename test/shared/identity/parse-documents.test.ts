import { describe, expect, it } from 'vitest';
import { isBroken, listsOf, parseDocuments } from '../../../shared/identity/parse-documents.ts';

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
    expect(problems).toEqual([expect.stringMatching(/^mapRoles: it is no YAML: /)]);
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

  it('takes an empty map for a mapping of nobody', () => {
    expect(parseDocuments('{}')).toEqual({ documents: {}, problems: [] });
  });

  it.each([
    ['a list', '[]'],
    ['a text', 'hello'],
    ['nothing', ''],
    ['null', 'null'],
  ])('says that %s is no mapping', (_, text) => {
    expect(parseDocuments(text)).toEqual({
      documents: {},
      problems: ['it is no map with mapRoles, mapUsers or mapAccounts'],
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
    expect(parseDocuments(bomb).problems).toEqual([expect.stringMatching(/^it is no YAML: /)]);
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
    ['nothing but a comment', '# nobody'],
    ['none of the lists', 'maproles: []'],
    ['a list that is a map', 'mapRoles: {}'],
    ['a ConfigMap whose only list cannot be read', "data: {mapRoles: '['}"],
    ['a ConfigMap with empty lists beside one that cannot be read', "data: {mapRoles: '[', mapUsers: '[]'}"],
    ['a ConfigMap with a text in place of a list', "data: {mapRoles: 'x'}"],
  ])('is a source that names nobody by mistake: %s', (_, text) => {
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
    ['bad entries alone', 'mapRoles: [{}]'],
    ['a list beside one that cannot be read', `data: {mapRoles: '[', mapUsers: ${one}}`],
    ['a list beside one that is a map', 'mapRoles: {}\nmapUsers: [{}]'],
  ])('is no source that names those whom it is to name: %s', (_, text) => {
    expect(isBroken(parseDocuments(text))).toBe(false);
  });
});
