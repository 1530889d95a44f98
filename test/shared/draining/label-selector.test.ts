import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesLabels, requirementsOf } from '../../../shared/draining/label-selector.ts';
import { LabelSelectorError, parseLabelSelector } from '../../../shared/draining/parse-label-selector.ts';

const labels = {
  app: 'web',
  'example.com/tier': 'front',
  size: '12',
  version: '2.5',
  release: 'v2',
  debt: '-5',
  exact: '9007199254740993',
  huge: '99999999999999999999',
};

describe('a label selector', () => {
  it.each([
    ['', true],
    ['app=web', true],
    ['app==web', true],
    ['app = db', false],
    ['app!=db', true],
    ['app!=web', false],
    ['other!=web', true],
    ['app in (web, db),size', true],
    ['app in (db)', false],
    ['app notin (db),other notin (x)', true],
    ['app notin (web,db)', false],
    ['!other', true],
    ['!app', false],
    ['other', false],
    ['example.com/tier=front', true],
    ['size>11', true],
    ['size>12', false],
    ['size<13', true],
    ['size<12', false],
    ['app>1', false],
    ['app<1', false],
    ['other>1', false],
    ['other<1', false],
    ['other in (web)', false],
    ['other notin (web)', true],
    ['version>1', false],
    ['version<9', false],
    ['release>1', false],
    ['debt<0', true],
    ['exact>9007199254740992', true],
    ['exact>9007199254740993', false],
    ['exact<9223372036854775807', true],
    ['huge>5', false],
    ['huge<5', false],
    ['size>00000000000000000000011', true],
    ['app notin ()', true],
    ['app in()', false],
  ])('"%s" of such labels is %s', (text, expected) => {
    expect(matchesLabels(labels, parseLabelSelector(text))).toBe(expected);
  });

  it.each([
    'app in web',
    'app=we b',
    '=web',
    'app in (a b)',
    'app=web,',
    '-x',
    'a//b',
    'app in (web',
    '(((',
    'a..b/x',
    '-a/x',
    'a-/x',
    `${'a'.repeat(254)}/x`,
    'size>9223372036854775808',
  ])('"%s" is refused, and the part shown', (text) => {
    expect(() => parseLabelSelector(text)).toThrow(LabelSelectorError);
  });

  it('is fast and throws nothing else, whatever the input', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 60, unit: fc.constantFrom(...'ab=!,() in<>-./ '.split('')) }),
        (text) => {
          try {
            parseLabelSelector(text);
          } catch (error) {
            expect(error).toBeInstanceOf(LabelSelectorError);
          }
        },
      ),
    );
  });

  it('without labels matches only requirements of absence', () => {
    expect(matchesLabels(undefined, parseLabelSelector('app'))).toBe(false);
    expect(matchesLabels(undefined, parseLabelSelector('!app'))).toBe(true);
  });
});

describe('a metav1.LabelSelector', () => {
  it('requires both its labels and its expressions', () => {
    const requirements = requirementsOf({
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'size', operator: 'In', values: ['12', '13'] },
        { key: 'other', operator: 'DoesNotExist' },
        { key: 'app', operator: 'Exists' },
        { key: 'app', operator: 'NotIn', values: ['db'] },
      ],
    });
    expect(matchesLabels(labels, requirements ?? [])).toBe(true);
    expect(matchesLabels({ ...labels, other: '' }, requirements ?? [])).toBe(false);
    expect(matchesLabels({ ...labels, size: '1' }, requirements ?? [])).toBe(false);
    expect(matchesLabels({ ...labels, app: 'db' }, requirements ?? [])).toBe(false);
  });

  it('is read as plain requirements, labels first', () => {
    const expressions = [
      { key: 'size', operator: 'NotIn', values: ['1'] },
      { key: 'other', operator: 'Exists' },
    ];
    expect(requirementsOf({ matchLabels: { app: 'web' }, matchExpressions: expressions })).toEqual([
      { key: 'app', operator: 'In', values: ['web'] },
      { key: 'size', operator: 'NotIn', values: ['1'] },
      { key: 'other', operator: 'Exists', values: [] },
    ]);
  });

  it.each([
    { key: 'a', operator: 'In' },
    { key: 'a', operator: 'NotIn', values: [] },
    { key: 'a', operator: 'Exists', values: ['x'] },
    { key: 'a', operator: 'Near', values: ['x'] },
  ])('with the invalid expression %j is not a selector', (expression) => {
    expect(requirementsOf({ matchExpressions: [expression] })).toBeUndefined();
  });

  it('that is empty requires nothing', () => {
    expect(requirementsOf({})).toEqual([]);
  });
});
