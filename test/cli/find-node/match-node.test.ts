import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchNode } from '../../../cli/find-node/match-node.ts';
import { distance, nearNames } from '../../../cli/find-node/near-names.ts';

const domain = 'eu-west-1.compute.internal';
const node = (name: string, instanceId?: string) => ({ name, ...(instanceId && { instanceId }) });
const six = node(`ip-10-0-32-6.${domain}`, 'i-0123456789abcdef0');
const seven = node(`ip-10-0-32-7.${domain}`, 'i-0fedcba9876543210');
const here = node('web.a.internal');
const there = node('web.b.internal');
const nodes = [six, seven, here, there];

describe('matchNode', () => {
  it.each([
    ['the whole name', six.name, six],
    ['its first label', 'ip-10-0-32-6', six],
    ['the id of its instance', 'i-0fedcba9876543210', seven],
    ['a whole name whose first label several have', 'web.b.internal', there],
  ])('finds a node by %s', (_, text, found) => {
    expect(matchNode(text, nodes)).toEqual({ kind: 'one', node: found });
  });

  it('prefers the node whose whole name it is to one that has it as its first label', () => {
    expect(matchNode('web', [node('web.a.internal'), node('web')])).toEqual({
      kind: 'one',
      node: node('web'),
    });
  });

  it('names all nodes that a first label may mean', () => {
    expect(matchNode('web', [there, here])).toEqual({ kind: 'several', names: [here.name, there.name] });
  });

  it('finds none of two nodes that claim the same instance', () => {
    const liar = node('liar.internal', six.instanceId);
    expect(matchNode(six.instanceId ?? '', [six, liar])).toMatchObject({ kind: 'several' });
  });

  it('does not take the beginning of a label for the label', () => {
    expect(matchNode('ip-10-0-32', nodes)).toMatchObject({ kind: 'none' });
  });

  it('suggests the nearest names for one that is mistyped', () => {
    expect(matchNode('ip-10-0-32-5', nodes)).toEqual({ kind: 'none', near: [six.name, seven.name] });
    expect(matchNode(`ip-10-0-33-6.${domain}`, nodes)).toEqual({
      kind: 'none',
      near: [six.name, seven.name],
    });
  });

  it('suggests nothing that has little in common', () => {
    expect(matchNode('master-1', nodes)).toEqual({ kind: 'none', near: [] });
  });
});

describe('nearNames', () => {
  it('are three at most, the nearest first', () => {
    const names = ['worker-21', 'worker-31', 'worker-1', 'worker-2', 'worker-11'];
    expect(nearNames('worker-12', names)).toEqual(['worker-1', 'worker-11', 'worker-2']);
  });

  it('allow one letter even in a short name', () => {
    expect(nearNames('wb', ['web', 'db-1'])).toEqual(['web']);
  });
});

describe('distance', () => {
  it.each([
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['flaw', 'lawn', 2],
    ['same', 'same', 0],
  ])('of %s and %s is %i', (one, other, far) => {
    expect(distance(one, other)).toBe(far);
  });

  it('is the same both ways, and never more than the longer text', () => {
    const text = fc.string({ maxLength: 12 });
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(distance(one, other)).toBe(distance(other, one));
        expect(distance(one, other)).toBeLessThanOrEqual(Math.max(one.length, other.length));
      }),
    );
  });
});
