import { createHash } from 'node:crypto';
import { bucket as bucketName, createS3Bench } from '@drover/cloud-sandbox/test/aws/s3/support.ts';
import { describe, expect, it } from 'vitest';
import { s3Client } from '../../../../shared/aws/s3-client.ts';
import { createSnapshotBucket } from '../../../../shared/aws/snapshot-bucket.ts';
import { EtcdError, type EtcdSnapshots } from '../../../../shared/etcd/cluster.ts';
import {
  findHealthyMembers,
  keepSnapshotsFresh,
  staleSnapshotReason,
  takeSnapshot,
} from '../../../../shared/etcd/snapshots/keep-fresh.ts';
import { snapshotKey } from '../../../../shared/etcd/snapshots/names.ts';
import { answers, id } from '../../../support/etcd/observations.ts';
import { createPassBench, type Furniture, groupOf, machine } from '../../../support/etcd/pass-bench.ts';

const endpoint = { url: 'https://10.0.0.1:2379', serverName: 'i-0123456789abcdef0.etcd.example.internal' };

/** Of a size that a database of etcd can have. */
const database = Buffer.alloc(16_416, 'database');

function createBench(end?: Error) {
  const bench = createS3Bench();
  const snapshots = {
    async *stream() {
      yield database.subarray(0, 7000);
      yield database.subarray(7000);
      if (end) throw end;
    },
  };
  const bucket = createSnapshotBucket({ client: s3Client(bench.connection), bucket: bucketName });
  const options = { snapshots, bucket, clock: bench.clock, prefix: 'drover/prod' };
  const take = (more: object = {}) => takeSnapshot({ ...options, endpoint, clusterId: '9a3f', ...more });
  return { ...bench, options, take };
}

describe('a snapshot', () => {
  it('is stored under its cluster and time, with its origin as metadata', async () => {
    const { take, s3, clock } = createBench();
    const taken = await take({ revision: '1042' });
    const key = `drover/prod/9a3f/${new Date(clock.now()).toISOString()}-1042.db`;
    expect(taken).toEqual({
      key,
      bytes: database.length,
      sha256: createHash('sha256').update(database).digest('hex'),
    });
    expect(s3.operations.GetObject({ Bucket: bucketName, Key: key })).toMatchObject({
      Body: database,
      Metadata: { 'cluster-id': '9a3f', member: endpoint.serverName },
    });
  });

  it('is not stored if the stream breaks off', async () => {
    const end = new EtcdError('other', 'the snapshot is incomplete');
    const { take, s3 } = createBench(end);
    await expect(take()).rejects.toBe(end);
    expect([s3.controls.keys(bucketName), s3.controls.openUploads(bucketName)]).toEqual([[], 0]);
  });
});

describe('a fresh snapshot', () => {
  const keep = ({ options }: ReturnType<typeof createBench>, clusterId = '9a3f', kept = 48) =>
    keepSnapshotsFresh(
      {
        ...options,
        maxAgeSeconds: 3600,
        retention: { keep: kept, days: 1 },
        onFailedMember: () => undefined,
      },
      [{ endpoint, clusterId }],
    );

  describe('of members of which some fail', () => {
    const three = (['a', 'b', 'c'] as const).map((name) => ({
      endpoint: { url: `https://${name}:2379`, serverName: name },
      clusterId: '9a3f',
    }));
    const keepFrom = async (failures: Readonly<Record<string, Error>>, afterSeconds = 0) => {
      const { options, s3, clock } = createBench();
      clock.advance(afterSeconds);
      const asked: string[] = [];
      const failed: string[] = [];
      const snapshots: EtcdSnapshots = {
        async *stream({ serverName }) {
          asked.push(serverName);
          yield database;
          if (failures[serverName]) throw failures[serverName];
        },
      };
      const [first, ...others] = three;
      if (!first) throw new Error('there are three members');
      const kept = keepSnapshotsFresh(
        {
          ...options,
          snapshots,
          maxAgeSeconds: 3600,
          retention: { keep: 48, days: 1 },
          onFailedMember: ({ endpoint: { serverName } }, { message }) =>
            void failed.push(`${serverName}: ${message}`),
        },
        [first, ...others],
      );
      return { kept, asked, failed, s3 };
    };
    const broken = new EtcdError('other', 'the snapshot is incomplete');

    it('is taken from the next one whose stream is whole', async () => {
      const { kept, asked, failed, s3 } = await keepFrom({ a: broken, b: broken });
      const { taken } = await kept;
      expect(asked).toEqual(['a', 'b', 'c']);
      expect(failed).toEqual(['a: the snapshot is incomplete', 'b: the snapshot is incomplete']);
      expect(s3.controls.keys(bucketName)).toEqual([taken?.key]);
    });

    it('is asked of another one first in the next run, for the stream of the first may never end in time', async () => {
      const { kept, asked } = await keepFrom({}, 300);
      await kept;
      expect(asked).toEqual(['b']);
    });

    it('fails if none of them gives one', async () => {
      const { kept, asked, s3 } = await keepFrom({ a: broken, b: broken, c: broken });
      await expect(kept).rejects.toBe(broken);
      expect(asked).toEqual(['a', 'b', 'c']);
      expect(s3.controls.keys(bucketName)).toEqual([]);
    });

    it('fails at once if it is not the member that refuses', async () => {
      const { kept, asked } = await keepFrom({ a: new Error('AccessDenied') });
      await expect(kept).rejects.toThrow('AccessDenied');
      expect(asked).toEqual(['a']);
    });
  });

  it('is never removed by the run that took it, whatever was stored after it', async () => {
    const { options, clock } = createBench();
    const removed: string[] = [];
    let lists = 0;
    const bucket = {
      ...options.bucket,
      list: async (prefix: string) => {
        lists += 1;
        const stored = await options.bucket.list(prefix);
        return lists === 1 ? stored : [...stored, ...[1, 2, 3].map(laterObject)];
      },
      remove: (key: string) => Promise.resolve(void removed.push(key)),
    };
    const laterObject = (seconds: number) => {
      const storedAt = clock.now() + seconds * 1000;
      const key = snapshotKey(options.prefix, { clusterId: '9a3f', takenAt: storedAt });
      return { key, bytes: database.length, storedAt };
    };
    const { taken } = await keepSnapshotsFresh(
      {
        ...options,
        bucket,
        maxAgeSeconds: 3600,
        retention: { keep: 1, days: 1 },
        onFailedMember: () => undefined,
      },
      [{ endpoint, clusterId: '9a3f' }],
    );
    expect(removed).toEqual([2, 1].map(laterObject).map(({ key }) => key));
    expect(removed).not.toContain(taken?.key);
  });

  it('is taken if there is none, and again at half of the maximum age', async () => {
    const bench = createBench();
    expect((await keep(bench)).taken).toMatchObject({ bytes: database.length });
    bench.clock.advance(1800);
    expect(await keep(bench)).toEqual({ removed: [], left: 0, doubtful: [], ageSeconds: 1800 });
    bench.clock.advance(1);
    expect((await keep(bench)).taken).toMatchObject({ bytes: database.length });
    expect(bench.s3.controls.keys(bucketName)).toHaveLength(2);
  });

  it('must be of this cluster: one of a lost cluster does not count', async () => {
    const bench = createBench();
    await keep(bench, '9a3f');
    expect((await keep(bench, '9a3')).taken).toBeDefined();
  });

  it('removes old snapshots only after it is stored', async () => {
    const bench = createBench();
    const { taken: first } = await keep(bench, '9a3f', 1);
    bench.clock.advance(3600);
    const { taken: second, removed } = await keep(bench, '9a3f', 1);
    expect(removed).toEqual([first?.key]);
    expect(bench.s3.controls.keys(bucketName)).toEqual([second?.key]);
    const broken = createBench(new EtcdError('other', 'the snapshot is incomplete'));
    await expect(keep(broken, '9a3f', 1)).rejects.toThrow('incomplete');
  });

  const keepsAtLeast = async (bench: ReturnType<typeof createBench>, forge: (count: number) => number) => {
    const mine: string[] = [];
    for (let hour = 0; hour < 3; hour += 1) {
      mine.push((await keep(bench)).taken?.key ?? '');
      bench.clock.advance(3600);
    }
    for (let count = 0; count < 50; count += 1)
      bench.s3.operations.PutObject({
        Bucket: bucketName,
        Key: `drover/prod/9a3f/${new Date(forge(count)).toISOString()}.db`,
        Body: database,
      });
    const kept = await keep(bench);
    return { kept, mine: [...mine, kept.taken?.key ?? ''] };
  };

  it('is not removed although fifty objects with names from 2999 are put into the bucket', async () => {
    const bench = createBench();
    const { kept, mine } = await keepsAtLeast(bench, (count) => Date.UTC(2999, 0, 1, 0, count));
    expect(kept.removed).toEqual([]);
    expect(kept.doubtful).toHaveLength(50);
    expect(bench.s3.controls.keys(bucketName)).toEqual(expect.arrayContaining(mine));
  });

  it('is taken although objects named like a fresh one are put into the bucket', async () => {
    const bench = createBench();
    const Body = Buffer.from('x');
    const Key = `drover/prod/9a3f/${new Date(bench.clock.now()).toISOString()}.db`;
    bench.s3.operations.PutObject({ Bucket: bucketName, Key, Body });
    expect((await keep(bench)).taken).toBeDefined();
  });

  it('is never removed by the run that took it, which removes four others at most', async () => {
    const bench = createBench();
    for (let count = 0; count < 9; count += 1) {
      await keep(bench, '9a3f', 48);
      bench.clock.advance(3600);
    }
    const { taken, removed, left } = await keep(bench, '9a3f', 1);
    expect([removed.length, removed.includes(taken?.key ?? '')]).toEqual([4, false]);
    expect(left).toBeGreaterThan(0);
    const names = bench.s3.controls.keys(bucketName);
    expect(names.length).toBe(6);
    expect(removed.every((key) => key < (names[0] ?? ''))).toBe(true);
  });

  it('is required for a removal, and the reason names the age of the newest', async () => {
    const bench = createBench();
    const reason = () => staleSnapshotReason({ ...bench.options, maxAgeSeconds: 3600 }, '9a3f');
    expect(await reason()).toMatch(/^there is no snapshot, /);
    await keep(bench);
    expect(await reason()).toBeUndefined();
    bench.clock.advance(3601);
    expect(await reason()).toMatch(/^the newest snapshot is 3601 s old/);
  });

  it('is required of the cluster itself: one with an id that begins in the same way does not count', async () => {
    const bench = createBench();
    await keep(bench, '9a3f');
    const reasonOf = (clusterId: string) =>
      staleSnapshotReason({ ...bench.options, maxAgeSeconds: 3600 }, clusterId);
    expect(await reasonOf('9a3f')).toBeUndefined();
    expect(await reasonOf('9a3')).toMatch(/^there is no snapshot, /);
  });
});

const find = async (furniture: Furniture) => {
  const groups = [groupOf({ 1: 'InService', 2: 'InService', 3: 'InService' })];
  const { healthy, instances } = await findHealthyMembers(createPassBench({ groups, ...furniture }).context);
  expect(instances).toBe(3);
  return healthy;
};
const machines = [machine(1, { state: 'stopped' }), machine(2), machine(3)];

const source = (number: number) => ({
  clusterId: '9a3f',
  revision: '1',
  endpoint: { url: `https://10.0.0.${number}:2379`, serverName: `${id(number)}.etcd.example.internal` },
});

describe('findHealthyMembers', () => {
  it('finds the members that run, vote and have quorum, in the order of the groups', async () => {
    const all = [machine(1), machine(2), machine(3)];
    const statuses = { 1: answers(), 2: answers({ healthy: false }), 3: answers() };
    expect(await find({ machines: all, statuses })).toEqual([source(1), source(3)]);
  });

  it('finds those of the cluster that has the most', async () => {
    const all = [machine(1), machine(2), machine(3)];
    const statuses = { 1: answers({ clusterId: 'dead' }), 2: answers(), 3: answers() };
    expect(await find({ machines: all, statuses })).toEqual([source(2), source(3)]);
  });

  it('leaves out stopped instances and learners', async () => {
    const statuses = { 1: answers(), 2: answers({ isLearner: true }), 3: answers() };
    expect(await find({ machines, statuses })).toEqual([source(3)]);
  });

  it.each([
    ['no member answers', { machines, statuses: {} }],
    ['no member has quorum', { machines, statuses: { 3: answers({ healthy: false }) } }],
    ['EC2 knows none of them', { statuses: { 3: answers() } }],
    ['etcd is out of reach', { machines, etcd: 'unreached', statuses: { 3: answers() } }],
  ] as const)('finds none if %s', async (_, furniture) => {
    expect(await find(furniture)).toEqual([]);
  });
});
