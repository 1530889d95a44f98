import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { named, sentence } from '../../../cli/table/column.ts';
import { shortNamesOf } from '../../../cli/table/short-names.ts';
import { shorten, widthOf } from '../../../cli/table/shorten.ts';
import { tableText } from '../../../cli/table/table.ts';

const nodes = ['ip-10-0-32-6.eu-west-1.compute.internal', 'ip-10-0-32-7.eu-west-1.compute.internal'];
const instances = ['i-0123456789abcdef0', 'i-0fedcba9876543210'];
const head = [
  named('NODE', { brief: shortNamesOf(nodes) }),
  'INSTANCE',
  named('GROUP', { leftOut: 2 }),
  { head: 'ZONE', leftOut: 3 },
  sentence('WAITS FOR'),
];
const rows = [
  [
    nodes[0] ?? '',
    instances[0] ?? '',
    'workers-of-the-shop',
    'eu-west-1a',
    'default/web-5d8c7b9f4-x2x7k (budget web)',
  ],
  [nodes[1] ?? '', instances[1] ?? '', 'workers', 'eu-west-1b', '-'],
];

describe('tableText', () => {
  it('is whole in a pipe', () => {
    expect(tableText(head, rows)).toBe(
      [
        'NODE                                      INSTANCE              GROUP                 ZONE         WAITS FOR',
        'ip-10-0-32-6.eu-west-1.compute.internal   i-0123456789abcdef0   workers-of-the-shop   eu-west-1a   default/web-5d8c7b9f4-x2x7k (budget web)',
        'ip-10-0-32-7.eu-west-1.compute.internal   i-0fedcba9876543210   workers               eu-west-1b   -',
        '',
      ].join('\n'),
    );
  });

  it('has short names on a terminal of 120 columns', () => {
    expect(tableText(head, rows, { columns: 120 })).toBe(
      [
        'NODE           INSTANCE              GROUP                 ZONE         WAITS FOR',
        'ip-10-0-32-6   i-0123456789abcdef0   workers-of-the-shop   eu-west-1a   default/web-5d8c7b9f4-x2x7k (budget web)',
        'ip-10-0-32-7   i-0fedcba9876543210   workers               eu-west-1b   -',
        '',
      ].join('\n'),
    );
  });

  it('leaves out columns and cuts sentences on one of 80, and keeps the ids of instances whole', () => {
    expect(tableText(head, rows, { columns: 80 })).toBe(
      [
        'NODE           INSTANCE              WAITS FOR',
        'ip-10-0-32-6   i-0123456789abcdef0   default/web-5d8c7b9f4-x2x7k (budget web)',
        'ip-10-0-32-7   i-0fedcba9876543210   -',
        '',
      ].join('\n'),
    );
    expect(tableText(head, rows, { columns: 70 })).toContain(
      'ip-10-0-32-6   i-0123456789abcdef0   default/web-5d8c7b9f4-x2x7k (bud…\n',
    );
  });

  it('has no line that is wider than the terminal, for any text and width', () => {
    const cell = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('節点一', '🚚🚚', 'e\u0301a', ''));
    const table = fc.array(fc.tuple(cell, cell, cell, cell, cell), { maxLength: 4 });
    fc.assert(
      fc.property(table, fc.integer({ min: 1, max: 130 }), (cells, columns) => {
        const lines = tableText(head, cells, { columns }).split('\n');
        expect(lines).toHaveLength(cells.length + 2);
        expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns);
      }),
    );
  });

  it('aligns the columns after wide characters', () => {
    expect(
      tableText(
        ['NAME', 'STATE'],
        [
          ['節点', 'Ready'],
          ['🚚', 'Ready'],
        ],
      ),
    ).toBe('NAME   STATE\n節点   Ready\n🚚     Ready\n');
  });
});

describe('shorten', () => {
  it.each([
    ['abcdefghij', 10, 'middle', 'abcdefghij'],
    ['abcdefghij', 7, 'middle', 'abc…hij'],
    ['abcdefghij', 6, 'middle', 'abc…ij'],
    ['abcdefghij', 6, 'end', 'abcde…'],
    ['one two three', 5, 'end', 'one…'],
    ['節点の名前', 6, 'middle', '節…前'],
    ['abc', 1, 'middle', '…'],
  ] as const)('makes of %s in %i columns, cut in the %s, %s', (text, width, cutAt, short) => {
    expect(shorten(text, width, cutAt)).toBe(short);
  });
});

describe('shortNamesOf', () => {
  it('gives the first label if no other name has it', () => {
    const short = shortNamesOf([...nodes, 'web.a.internal', 'web.b.internal', '10.0.0.7', 'fd00::1', '-']);
    expect(nodes.map(short)).toEqual(['ip-10-0-32-6', 'ip-10-0-32-7']);
    expect(['web.a.internal', 'web.b.internal', '10.0.0.7', 'fd00::1', '-'].map(short)).toEqual([
      'web.a.internal',
      'web.b.internal',
      '10.0.0.7',
      'fd00::1',
      '-',
    ]);
  });

  it('keeps a name whole whose first label is another node', () => {
    expect(shortNamesOf(['web', 'web.a.internal'])('web.a.internal')).toBe('web.a.internal');
  });

  it('shortens a name that is listed twice', () => {
    expect(shortNamesOf(['web.a.internal', 'web.a.internal'])('web.a.internal')).toBe('web');
  });
});
