import { describe, expect, it } from 'vitest';
import { applyRecords } from '../../../shared/etcd/apply-records.ts';
import type { EtcdContext } from '../../../shared/etcd/context.ts';
import { createEtcdMemory } from '../../../shared/etcd/memory.ts';
import { type RecordChange, ZoneError } from '../../../shared/etcd/zone.ts';
import { changedAt, id, instance, observationOf, settings } from '../../support/etcd/observations.ts';

const forming = { kind: 'forming', set: [id(1)] } as const;
const scene = { instances: [instance(1)], birth: forming, published: [1] };
const publication = {
  ...settings,
  birth: { kind: 'born', clusterId: '9a3f' },
  members: [{ instanceId: id(1), addresses: ['10.0.0.1'], state: 'existing' }],
} as const;

/** A zone that takes changes, or refuses them with an error. */
function createBench(secondsSinceChange: number, refusal?: Error) {
  const observation = { ...observationOf(scene), now: (changedAt + secondsSinceChange) * 1000 };
  const batches: (readonly RecordChange[])[] = [];
  const zone: EtcdContext['zone'] = {
    read: () => Promise.reject(new Error('it was read already')),
    change: async (changes) => {
      if (refusal) throw refusal;
      batches.push(changes);
      return 'C1';
    },
    isInSync: () => Promise.resolve(false),
  };
  const memory = createEtcdMemory({ now: () => observation.now });
  const bring = (wanted?: typeof publication) =>
    applyRecords({ zone, memory, settings }, observation, wanted ? { publication: wanted } : {});
  return { bring, memory, batches };
}

describe('applyRecords', () => {
  it('waits a minute after a change whose id a cold Lambda does not know', async () => {
    expect(await createBench(59).bring()).toMatchObject({ kind: 'changed' });
    expect(await createBench(60).bring()).toEqual({ kind: 'in-sync' });
  });

  it('does not wait in a Lambda that has seen the change in sync', async () => {
    const bench = createBench(5);
    bench.memory.recordChange({ changeId: 'C1', changedAt }, { records: [], foreign: [] });
    bench.memory.markInSync();
    expect(await bench.bring()).toEqual({ kind: 'in-sync' });
  });

  it('waits for the change of another Lambda in one that has seen an earlier change in sync', async () => {
    const bench = createBench(2);
    const earlier = { changeId: 'C1', changedAt: changedAt - 500 };
    bench.memory.recordChange(earlier, { records: [], foreign: [] });
    bench.memory.markInSync();
    expect(await bench.bring()).toMatchObject({ kind: 'changed' });
  });

  it('writes a later time into the mark than the last change, whatever the clock says', async () => {
    const { bring, memory } = createBench(0);
    await bring(publication);
    expect(memory.pendingChange()).toEqual({ changeId: 'C1', changedAt: changedAt + 1 });
  });

  it('changes the records in one batch and puts its time into the mark', async () => {
    const { bring, batches, memory } = createBench(500);
    expect(await bring(publication)).toMatchObject({ kind: 'changed' });
    expect(batches).toHaveLength(1);
    expect(batches[0]?.flatMap(({ action, record }) => (action === 'create' ? record.values : []))).toContain(
      `changed=${changedAt + 500}`,
    );
    expect(memory.pendingChange()).toEqual({ changeId: 'C1', changedAt: changedAt + 500 });
  });

  it('reads the zone again after a conflicting change', async () => {
    const { bring, memory } = createBench(500, new ZoneError('conflict', 'it was not found'));
    memory.rememberZone({ records: [], foreign: [] });
    expect(await bring(publication)).toMatchObject({ kind: 'overtaken' });
    expect(memory.zone()).toBeUndefined();
  });

  it('reads the zone again after a change without an answer, because it may have been made', async () => {
    const { bring, memory } = createBench(500, new Error('no answer within 10 s'));
    memory.rememberZone({ records: [], foreign: [] });
    await expect(bring(publication)).rejects.toThrow('no answer');
    expect(memory.zone()).toBeUndefined();
  });

  it('fails the pass if Route 53 refuses for another reason', async () => {
    const refusal = new ZoneError('denied', 'no');
    await expect(createBench(500, refusal).bring(publication)).rejects.toBe(refusal);
  });
});
