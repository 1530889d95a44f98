import { describe, expect, it } from 'vitest';
import { s3Api } from '../../../../shared/aws/api/s3-api.ts';
import { createSnapshotBucket } from '../../../../shared/aws/snapshot-bucket.ts';
import { EtcdError } from '../../../../shared/etcd/cluster.ts';
import { takeSnapshot } from '../../../../shared/etcd/snapshots/take.ts';
import { bucket as bucketName, createS3Bench } from '../../../local/aws/s3/support.ts';

const endpoint = { url: 'https://10.0.0.1:2379', serverName: 'i-0123456789abcdef0.etcd.example.internal' };

function createBench(end?: Error) {
  const bench = createS3Bench();
  const snapshots = {
    async *stream() {
      yield Buffer.from('data');
      yield Buffer.from('base');
      if (end) throw end;
    },
  };
  const bucket = createSnapshotBucket({ api: s3Api({ connection: bench.connection, bucket: bucketName }) });
  const take = (more: object = {}) =>
    takeSnapshot({
      snapshots,
      endpoint,
      bucket,
      clock: bench.clock,
      prefix: 'drover/prod',
      clusterId: '9a3f',
      ...more,
    });
  return { ...bench, take };
}

describe('a snapshot', () => {
  it('stands in the bucket under its cluster and its time, with where it came from', async () => {
    const { take, s3, clock } = createBench();
    const taken = await take({ revision: '1042' });
    const key = `drover/prod/9a3f/${new Date(clock.now()).toISOString()}-1042.db`;
    expect(taken).toEqual({
      key,
      bytes: 8,
      sha256: '3549b0028b75d981cdda2e573e9cb49dedc200185876df299f912b79f69dabd8',
    });
    expect(s3.operations.GetObject({ Bucket: bucketName, Key: key })).toMatchObject({
      Body: Buffer.from('database'),
      Metadata: { 'cluster-id': '9a3f', member: endpoint.serverName },
    });
  });

  it('does not stand at all where the member breaks off', async () => {
    const end = new EtcdError('other', 'the snapshot is not whole');
    const { take, s3 } = createBench(end);
    await expect(take()).rejects.toBe(end);
    expect([s3.controls.keys(bucketName), s3.controls.openUploads(bucketName)]).toEqual([[], 0]);
  });
});
