import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cidr, contains, overlaps, parseCidr, tenthAddress } from '../../../shared/net/cidr.ts';

describe('a CIDR block', () => {
  it.each(['10.96.0.0/12', '0.0.0.0/0', '192.0.2.7/32', 'fd00:10:96::/108', '::/0', 'fd00::1/128'])(
    'is read: %s',
    (text) => expect(cidr(text)).toBe(true),
  );

  it.each([
    '10.96.0.1/12',
    '10.96.0.0',
    '10.96.0.0/33',
    'fd00::1/108',
    'fd00::/129',
    'a/8',
    '',
    '10.0.0.0/8/8',
    'fe80::%eth0/64',
    '::ffff:10.0.0.0/104',
  ])('is not: %j', (text) => expect(cidr(text)).toBe(false));

  it.each([
    ['10.96.0.0/12', '10.96.0.10'],
    ['172.20.0.0/16', '172.20.0.10'],
    ['fd00:10:96::/108', 'fd00:10:96::a'],
    ['fdf5:7d15:3ea8::/108', 'fdf5:7d15:3ea8::a'],
    ['10.0.0.0/28', '10.0.0.10'],
    ['10.0.0.0/29', undefined],
  ])('has the DNS of a cluster at its tenth address: %s, %s', (text, address) => {
    expect(tenthAddress(parseCidr(text))).toBe(address);
  });

  it.each([
    ['10.96.0.0/12', '10.100.0.0/16', true],
    ['10.100.0.0/16', '10.96.0.0/12', true],
    ['10.96.0.0/12', '10.112.0.0/16', false],
    ['0.0.0.0/0', '10.0.0.0/8', true],
    ['::/0', '10.0.0.0/8', false],
    ['fd00::/108', 'fd00::10:0/112', false],
    ['fd00::/108', 'fd00::1:0/112', true],
  ])('%s and %s overlap: %s', (one, other, expected) => {
    expect(overlaps(parseCidr(one), parseCidr(other))).toBe(expected);
  });

  it.each([
    ['10.96.0.0/12', '10.96.0.10', true],
    ['10.96.0.0/12', '10.111.255.255', true],
    ['10.96.0.0/12', '10.112.0.0', false],
    ['10.96.0.0/12', '10.95.255.255', false],
    ['192.0.2.7/32', '192.0.2.7', true],
    ['0.0.0.0/0', 'fd00::a', false],
    ['::/0', '10.0.0.1', false],
    ['fd00:10:96::/108', 'fd00:10:96::a', true],
    ['fd00:10:96::/108', 'FD00:10:96:0::F:FFFF', true],
    ['fd00:10:96::/108', 'fd00:10:96::10:0', false],
    ['fd00:10:96::/108', 'fd00:10:97::a', false],
    ['fd00::/96', 'fd00::10.96.0.10', true],
    ['fd00::/108', 'fd00::10.96.0.10', false],
  ])('%s contains %s: %s', (block, address, expected) => {
    expect(contains(parseCidr(block), address)).toBe(expected);
  });

  it('overlaps another one exactly where one holds the first address of the other', () => {
    const blocks = fc.tuple(fc.nat(255), fc.integer({ min: 0, max: 8 })).map(([first, bits]) => {
      const size = 2 ** bits;
      const start = Math.floor(first / size) * size;
      return { text: `10.0.0.${start}/${32 - bits}`, start, end: start + size };
    });
    fc.assert(
      fc.property(blocks, blocks, (one, other) => {
        const expected = one.start < other.end && other.start < one.end;
        expect(overlaps(parseCidr(one.text), parseCidr(other.text))).toBe(expected);
      }),
    );
  });
});
