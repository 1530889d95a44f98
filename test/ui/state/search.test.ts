import { describe, expect, it } from 'vitest';
import { nextCell } from '../../../ui/parts/next-cell.ts';
import { placed } from '../../../ui/state/condition.ts';
import { matches, noSearch, type Search } from '../../../ui/state/search.ts';
import { group, instance, leavingInstance, node } from '../states.ts';

const failing = instance({ instanceId: 'i-3', node: node({ ready: false }), availabilityZone: 'eu-west-1b' });
const cordoned = instance({ instanceId: 'i-4', node: node({ cordoned: true }) });
const all = placed([group({ instances: [instance(), leavingInstance(), failing, cordoned] })]);
const found = (search: Partial<Search>) =>
  all
    .filter((one) => matches(one, { ...noSearch, ...search }))
    .map(({ instance: { instanceId } }) => instanceId);

describe('a search', () => {
  it.each<[Partial<Search>, readonly string[]]>([
    [{ words: 'IP-10-0-0-5' }, ['i-0fedcba9876543210']],
    [{ words: 'shop/web-2 spot' }, []],
    [{ words: 'shop/web-2 workers' }, ['i-0fedcba9876543210']],
    [{ show: 'moving' }, ['i-0fedcba9876543210']],
    [{ show: 'failing' }, ['i-3']],
    [{ show: 'cordoned' }, ['i-0fedcba9876543210', 'i-4']],
    [{ show: 'spot' }, ['i-0fedcba9876543210']],
    [{ zone: 'eu-west-1b' }, ['i-3']],
    [{ zone: 'eu-west-1b', show: 'spot' }, []],
  ])('for %j finds %j', (search, ids) => {
    expect(found(search)).toEqual(ids);
  });

  it('for nothing finds everything', () => {
    expect(found({ words: '  ' })).toHaveLength(4);
  });
});

describe('an arrow key in the heatmap', () => {
  // Two rows of three cells, and one cell of the next zone.
  const places = [
    [0, 0],
    [20, 0],
    [40, 0],
    [0, 20],
    [20, 20],
    [40, 20],
    [0, 70],
  ].map(([left = 0, top = 0]) => ({ left, top }));

  it.each<[string, number, number | undefined]>([
    ['ArrowRight', 0, 1],
    ['ArrowRight', 6, undefined],
    ['ArrowLeft', 0, undefined],
    ['ArrowLeft', 4, 3],
    ['ArrowDown', 1, 4],
    ['ArrowDown', 5, 6],
    ['ArrowUp', 6, 3],
    ['ArrowUp', 1, undefined],
    ['Home', 5, 0],
    ['End', 0, 6],
    ['Enter', 2, undefined],
  ])('%s from cell %i moves to %s', (key, at, next) => {
    expect(nextCell(key, { at, places })).toBe(next);
  });
});
