import { describe, expect, it } from 'vitest';
import {
  createHold,
  endHold,
  extendHold,
  findHold,
  planExtension,
  planHold,
} from '../../../../shared/capacity/holds/change-holds.ts';
import { bySchedule, type Hold } from '../../../../shared/capacity/holds/hold.ts';
import { holdParameterOf } from '../../../../shared/capacity/holds/parameters.ts';
import { hour, start } from './fixtures.ts';
import { createHoldWorld, paths } from './world.ts';

const place = { autoScalingGroupName: 'workers', name: 'sale' };
const hold = (changes: Partial<Hold> = {}): Hold => ({
  ...place,
  nodes: 6,
  until: start + hour,
  raiseMaxSize: false,
  ...changes,
});

/** A store with that hold. */
function storeWith(existing: Hold | undefined, now = start) {
  const world = createHoldWorld();
  if (existing) world.hold(existing);
  return { world, store: { parameters: world.context.parameters, paths, now } };
}

describe('a hold that is extended', () => {
  it('ends later, and never earlier', async () => {
    const { store } = storeWith(hold());
    const earlier = await extendHold(store, place, start + hour - 1);
    expect(earlier).toEqual({ kind: 'unchanged', hold: hold() });
    expect(await extendHold(store, place, start + hour)).toMatchObject({ kind: 'unchanged' });
    expect(await planExtension(store, place, start + hour + 1)).toMatchObject({ kind: 'extended' });
    expect(await findHold(store, place)).toEqual({ kind: 'hold', hold: hold() });
    await extendHold(store, place, start + 2 * hour);
    expect(await findHold(store, place)).toEqual({ kind: 'hold', hold: hold({ until: start + 2 * hour }) });
  });

  it('keeps everything else: its nodes, its maker, and whether it raises MaxSize', async () => {
    const existing = hold({ raiseMaxSize: true, createdAt: start - hour, by: 'ann' });
    const { store } = storeWith(existing);
    const extended = { ...existing, until: start + 2 * hour };
    expect(await extendHold(store, place, extended.until)).toEqual({ kind: 'extended', hold: extended });
    expect(await findHold(store, place)).toEqual({ kind: 'hold', hold: extended });
  });

  it('is not extended after its end, because a pass may be deleting it', async () => {
    const { store } = storeWith(hold(), start + hour);
    expect(await extendHold(store, place, start + 2 * hour)).toMatchObject({ kind: 'over' });
    expect(await extendHold({ ...store, now: start + hour - 1 }, place, start + 2 * hour)).toMatchObject({
      kind: 'extended',
    });
  });

  it('must exist', async () => {
    const { store } = storeWith(undefined);
    expect(await extendHold(store, place, start + hour)).toEqual({ kind: 'missing' });
  });
});

describe('two holds of one name', () => {
  it('are one hold if both ask for the same; otherwise the first is kept', async () => {
    const { store } = storeWith(undefined);
    expect(await planHold(store, { hold: hold() })).toMatchObject({ kind: 'created' });
    expect(await createHold(store, { hold: hold() })).toMatchObject({ kind: 'created' });
    expect(await createHold(store, { hold: hold() })).toMatchObject({ kind: 'unchanged' });
    const other = { hold: hold({ nodes: 9 }) };
    for (const answer of [await createHold(store, other), await planHold(store, other)])
      expect(answer).toEqual({ kind: 'taken', hold: hold() });
    expect(await findHold(store, place)).toEqual({ kind: 'hold', hold: hold() });
  });

  it('are compared by what the existing one asks for, also in fields that only the request has', async () => {
    const { store, world } = storeWith(hold());
    const request = { namespace: 'shop', total: 3, template: { spec: { containers: [] } } };
    const forPods = hold({ nodes: 6, pods: request });
    expect(await createHold(store, { hold: forPods })).toEqual({ kind: 'taken', hold: hold() });
    expect(await planHold(store, { hold: hold({ set: 'shop' }) })).toEqual({ kind: 'taken', hold: hold() });
    expect(await findHold({ ...store, ...world.context }, forPods)).toEqual({ kind: 'hold', hold: hold() });
  });

  it('the later one replaces the first if the caller allows it, except one that has ended', async () => {
    const { store } = storeWith(hold({ set: 'shop' }));
    const wanted = hold({ nodes: 7 });
    expect(await planHold(store, { hold: wanted, mayReplace: true })).toEqual({
      kind: 'replaced',
      hold: wanted,
    });
    expect(await findHold(store, place)).toEqual({ kind: 'hold', hold: hold({ set: 'shop' }) });
    expect(await createHold(store, { hold: hold({ set: 'shop' }), mayReplace: true })).toMatchObject({
      kind: 'unchanged',
    });
    expect(await createHold(store, { hold: hold(), mayReplace: true })).toMatchObject({
      kind: 'unchanged',
      hold: { set: 'shop' },
    });
    expect(await createHold(store, { hold: wanted, mayReplace: true })).toMatchObject({ kind: 'replaced' });
    expect(await findHold(store, place)).toEqual({ kind: 'hold', hold: wanted });
    const later = { ...store, now: start + hour };
    expect(
      await createHold(later, { hold: hold({ until: start + 2 * hour }), mayReplace: true }),
    ).toMatchObject({
      kind: 'over',
    });
  });

  it('are refused after the first has ended, while its parameter still exists', async () => {
    const { store } = storeWith(hold(), start + hour);
    expect(await createHold(store, { hold: hold({ until: start + 3 * hour }) })).toMatchObject({
      kind: 'over',
    });
  });
});

describe('a hold that is ended', () => {
  it('is deleted, even if it cannot be read', async () => {
    const { store, world } = storeWith(hold());
    expect(await endHold(store, place)).toEqual({ kind: 'ended' });
    expect([...world.texts.keys()]).toEqual([]);
    expect(await endHold(store, place)).toEqual({ kind: 'missing' });
    world.texts.set(holdParameterOf(paths, place), 'no hold');
    expect(await endHold(store, place)).toEqual({ kind: 'ended' });
    expect([...world.texts.keys()]).toEqual([]);
  });

  it('is left if it is to be of a set and is of another one, of none, or cannot be read', async () => {
    const ofShop = { ofSet: 'shop' };
    const { store, world } = storeWith(hold({ set: 'other' }));
    expect(await endHold(store, place, ofShop)).toEqual({ kind: 'taken', hold: hold({ set: 'other' }) });
    world.hold(hold());
    expect(await endHold(store, place, ofShop)).toMatchObject({ kind: 'taken' });
    world.texts.set(holdParameterOf(paths, place), 'no hold');
    expect(await endHold(store, place, ofShop)).toEqual({ kind: 'unreadable' });
    expect([...world.texts.keys()]).toEqual([holdParameterOf(paths, place)]);
    world.hold(hold({ set: 'shop' }));
    expect(await endHold(store, place, ofShop)).toEqual({ kind: 'ended' });
    expect([...world.texts.keys()]).toEqual([]);
  });

  it('is kept with the time of its end if a schedule created it, which would create it again', async () => {
    const scheduled = hold({ by: bySchedule('office') });
    const { store } = storeWith(scheduled);
    await endHold(store, place);
    const ended = { ...scheduled, endedAt: start };
    expect(await findHold(store, place)).toEqual({ kind: 'hold', hold: ended });
    await endHold({ ...store, now: start + 1000 }, place);
    expect(await findHold(store, place)).toEqual({ kind: 'hold', hold: ended });
  });
});
