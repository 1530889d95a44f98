import { describe, expect, it } from 'vitest';
import { bringRecords } from '../../../shared/etcd/bring-records.ts';
import { createEtcdMemory } from '../../../shared/etcd/memory.ts';
import type { EtcdWorld } from '../../../shared/etcd/world.ts';
import { type RecordChange, ZoneError } from '../../../shared/etcd/zone.ts';
import { changedAt, id, instance, sightOf, terms } from '../../support/etcd/sights.ts';

const forming = { kind: 'forming', set: [id(1)] } as const;
const scene = { instances: [instance(1)], birth: forming, published: [1] };
const publication = {
  ...terms,
  birth: { kind: 'born', clusterId: '9a3f' },
  members: [{ instanceId: id(1), addresses: ['10.0.0.1'], state: 'existing' }],
} as const;

/** A zone that takes changes, or refuses them with an error. */
function createBench(secondsSinceChange: number, refusal?: Error) {
  const sight = { ...sightOf(scene), now: (changedAt + secondsSinceChange) * 1000 };
  const batches: (readonly RecordChange[])[] = [];
  const zone: EtcdWorld['zone'] = {
    read: () => Promise.reject(new Error('it was read already')),
    change: async (changes) => {
      if (refusal) throw refusal;
      batches.push(changes);
      return 'C1';
    },
    isInSync: () => Promise.resolve(false),
  };
  const memory = createEtcdMemory({ now: () => sight.now });
  const bring = (wanted?: typeof publication) =>
    bringRecords({ zone, memory, terms }, sight, wanted ? { publication: wanted } : {});
  return { bring, memory, batches };
}

describe('records', () => {
  it('are waited for by a Lambda that does not know which change it was, for a minute', async () => {
    expect(await createBench(59).bring()).toMatchObject({ kind: 'changed' });
    expect(await createBench(60).bring()).toEqual({ kind: 'in-sync' });
  });

  it('are not waited for by one that has seen them in sync', async () => {
    const bench = createBench(5);
    bench.memory.inSync();
    expect(await bench.bring()).toEqual({ kind: 'in-sync' });
  });

  it('are changed in one batch, whose time the mark says', async () => {
    const { bring, batches, memory } = createBench(500);
    expect(await bring(publication)).toMatchObject({ kind: 'changed' });
    expect(batches).toHaveLength(1);
    expect(batches[0]?.flatMap(({ action, record }) => (action === 'create' ? record.values : []))).toContain(
      `changed=${changedAt + 500}`,
    );
    expect(memory.pendingChange()).toEqual({ changeId: 'C1' });
  });

  it('that somebody else has changed meanwhile are read again', async () => {
    const { bring, memory } = createBench(500, new ZoneError('conflict', 'it was not found'));
    memory.rememberZone({ records: [], foreign: [] });
    expect(await bring(publication)).toMatchObject({ kind: 'changed' });
    expect(memory.zone()).toBeUndefined();
  });

  it('that Route 53 refuses for another reason fail the pass', async () => {
    const refusal = new ZoneError('denied', 'no');
    await expect(createBench(500, refusal).bring(publication)).rejects.toBe(refusal);
  });
});
