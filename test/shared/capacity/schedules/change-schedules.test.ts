import { describe, expect, it, vi } from 'vitest';
import {
  changeSchedule,
  lookUpSchedule,
  putSchedule,
  type ScheduleStore,
  ScheduleStoreError,
  type ScheduleWrite,
} from '../../../../shared/capacity/schedules/change-schedules.ts';
import type { ScheduleRecord } from '../../../../shared/capacity/schedules/schedule.ts';
import { record } from './support.ts';

type Change = (schedules: Map<string, ScheduleRecord>) => void;

/** A store with some schedules. Before each write another caller makes the next of these changes. */
function storeWith(standing: readonly ScheduleRecord[], changes: readonly Change[] = []) {
  const schedules = new Map(standing.map((one) => [one.name, one]));
  const [...others] = changes;
  const writing = <Value>(write: () => Value): Promise<Value> => {
    others.shift()?.(schedules);
    return Promise.resolve(write());
  };
  const put = (one: ScheduleRecord) => schedules.set(one.name, one).size > 0;
  const store: ScheduleStore = {
    list: () => Promise.resolve([...schedules.values()]),
    read: (name) => Promise.resolve(schedules.get(name)),
    create: (one) => writing(() => !schedules.has(one.name) && put(one)),
    checkGroup: async () => undefined,
    replace: (one) => writing(() => schedules.has(one.name) && put(one)),
    setEnabled: (name, enabled) =>
      writing(() => {
        const one = schedules.get(name);
        return one !== undefined && put({ ...one, enabled });
      }),
    remove: (name) => writing(() => schedules.delete(name)),
  };
  return { store, schedules };
}

const wanted = record({}, { nodes: 6, by: 'ana' });
const other = record({ enabled: false }, { nodes: 4, by: 'ben' });
const sameOfAnother = record({ enabled: false }, { nodes: 6, by: 'ben' });
const makes =
  (one: ScheduleRecord): Change =>
  (schedules) =>
    void schedules.set(one.name, one);
const deletes: Change = (schedules) => schedules.clear();
const refusing = { mayReplace: false, dryRun: false };
const replacing = { mayReplace: true, dryRun: false };

describe('a requested schedule', () => {
  it('is created, kept or replaced', async () => {
    const { store, schedules } = storeWith([]);
    expect(await putSchedule(store, wanted, refusing)).toEqual({ kind: 'created', record: wanted });
    expect(await putSchedule(store, sameOfAnother, replacing)).toEqual({ kind: 'unchanged', record: wanted });
    expect(await putSchedule(store, other, refusing)).toEqual({ kind: 'taken', record: wanted });
    expect([...schedules.values()]).toEqual([wanted]);
    expect(await putSchedule(store, other, replacing)).toMatchObject({ kind: 'replaced' });
    expect([...schedules.values()]).toEqual([{ ...other, enabled: true }]);
  });

  it('is refused in a dry run too if no deployment has made the schedule group', async () => {
    const { store } = storeWith([]);
    const missing = new ScheduleStoreError('no-group', 'no deployment has made it');
    const without = { ...store, checkGroup: () => Promise.reject(missing) };
    await expect(putSchedule(without, wanted, { mayReplace: false, dryRun: true })).rejects.toBe(missing);
  });

  it('is not written in a dry run', async () => {
    const { store, schedules } = storeWith([other]);
    const dryRun = { mayReplace: true, dryRun: true };
    expect(await putSchedule(store, wanted, dryRun)).toMatchObject({ kind: 'replaced' });
    const another = { ...wanted, name: 'another' };
    expect(await putSchedule(store, another, dryRun)).toEqual({ kind: 'created', record: another });
    expect([...schedules.values()]).toEqual([other]);
  });

  it.each([true, false])(
    'is unchanged if another caller creates the same at the same time',
    async (mayReplace) => {
      const { store, schedules } = storeWith([], [makes(sameOfAnother)]);
      expect(await putSchedule(store, wanted, { mayReplace, dryRun: false })).toEqual({
        kind: 'unchanged',
        record: sameOfAnother,
      });
      expect([...schedules.values()]).toEqual([sameOfAnother]);
    },
  );

  it('is refused if another caller creates another one at the same time, unless it may be replaced', async () => {
    const lost = storeWith([], [makes(other)]);
    expect(await putSchedule(lost.store, wanted, refusing)).toEqual({ kind: 'taken', record: other });
    expect([...lost.schedules.values()]).toEqual([other]);
    const replaced = storeWith([], [makes(other)]);
    expect(await putSchedule(replaced.store, wanted, replacing)).toEqual({
      kind: 'replaced',
      record: { ...wanted, enabled: false },
    });
    expect([...replaced.schedules.values()]).toEqual([{ ...wanted, enabled: false }]);
  });

  it('is created if another caller deletes the one that it replaces', async () => {
    const { store, schedules } = storeWith([other], [deletes]);
    expect(await putSchedule(store, wanted, replacing)).toEqual({ kind: 'created', record: wanted });
    expect([...schedules.values()]).toEqual([wanted]);
  });

  it('can be requested again if other callers create and delete it at every attempt', async () => {
    const { store } = storeWith([], [makes(other), deletes, makes(other)]);
    await expect(putSchedule(store, wanted, replacing)).rejects.toMatchObject({
      code: 'throttled',
      message: expect.stringContaining('ask again later'),
    });
  });

  it('has each write logged with what it changes', async () => {
    const write = vi.fn(({ make }: ScheduleWrite) => make());
    const { store } = storeWith([], [makes(other)]);
    await putSchedule(store, wanted, { ...replacing, write });
    const fieldsOf = ({ expression, timeZone, input }: ScheduleRecord) => ({ expression, timeZone, input });
    expect(write.mock.calls).toMatchObject([
      [{ action: 'create', name: 'office-hours', before: {}, after: fieldsOf(wanted) }],
      [{ action: 'replace', name: 'office-hours', before: fieldsOf(other), after: fieldsOf(wanted) }],
    ]);
  });
});

describe('a schedule that is paused, resumed or deleted', () => {
  const change = (
    store: ScheduleStore,
    before: ScheduleRecord,
    kind: 'pause' | 'resume' | 'delete',
    dryRun = false,
  ) => changeSchedule(store, before, { change: kind, dryRun });

  it('is changed, or is already as requested', async () => {
    const { store, schedules } = storeWith([wanted]);
    const paused = { ...wanted, enabled: false };
    expect(await change(store, wanted, 'resume')).toBe('unchanged');
    expect(await change(store, wanted, 'pause')).toBe('changed');
    expect([...schedules.values()]).toEqual([paused]);
    expect(await change(store, paused, 'pause')).toBe('unchanged');
    expect(await change(store, paused, 'resume')).toBe('changed');
    expect([...schedules.values()]).toEqual([wanted]);
    expect(await change(store, wanted, 'delete')).toBe('changed');
    expect([...schedules.values()]).toEqual([]);
  });

  it('is not changed in a dry run', async () => {
    const { store, schedules } = storeWith([wanted]);
    expect(await change(store, wanted, 'pause', true)).toBe('changed');
    expect(await change(store, wanted, 'delete', true)).toBe('changed');
    expect([...schedules.values()]).toEqual([wanted]);
  });

  it.each(['pause', 'delete'] as const)('is missing if it was deleted before the %s', async (kind) => {
    const { store } = storeWith([wanted], [deletes]);
    expect(await change(store, wanted, kind)).toBe('missing');
  });

  it('has the write logged with what it changes', async () => {
    const write = vi.fn(({ make }: ScheduleWrite) => make());
    const { store } = storeWith([wanted]);
    await changeSchedule(store, wanted, { change: 'pause', dryRun: false, write });
    await changeSchedule(store, wanted, { change: 'delete', dryRun: false, write });
    expect(write.mock.calls).toMatchObject([
      [{ action: 'pause', before: { paused: false }, after: { paused: true } }],
      [{ action: 'delete', before: { input: wanted.input }, after: {} }],
    ]);
  });
});

describe('looking up a schedule', () => {
  it('finds it by name, and makes no call for a name that no schedule can have', async () => {
    const { store } = storeWith([wanted]);
    const read = vi.spyOn(store, 'read');
    expect(await lookUpSchedule(store, wanted.name)).toEqual(wanted);
    expect(await lookUpSchedule(store, 'other')).toBeUndefined();
    expect(read).toHaveBeenCalledTimes(2);
    for (const name of ['a b', '', 'a/b', 'a'.repeat(65)])
      expect(await lookUpSchedule(store, name)).toBeUndefined();
    expect(read).toHaveBeenCalledTimes(2);
  });
});
