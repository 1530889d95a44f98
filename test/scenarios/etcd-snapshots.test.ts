import { expect, it } from 'vitest';
import { addEtcdGroup } from '../../local/etcd-group.ts';
import { stateOf, terminate } from '../../local/world/drover-world.ts';
import { createEtcdDroverWorld } from '../../local/world/etcd/etcd-world.ts';
import { inService, lastReason, untilWhole } from '../../local/world/etcd/expectations.ts';

const bucket = 'snapshots';

const keysIn = ({ account }: ReturnType<typeof createEtcdDroverWorld>): readonly string[] =>
  (account.s3.operations.ListObjectsV2({ Bucket: bucket }).Contents ?? []).map(({ Key }) => Key);

it('takes a snapshot on schedule, and the next one at half of the maximum age', async () => {
  const world = createEtcdDroverWorld({ snapshotBucket: bucket });
  addEtcdGroup(world, { size: 3 });
  const clusterId = BigInt(await untilWhole(world, 3)).toString(16);
  await world.timeline.pass(600);
  expect(keysIn(world)).toHaveLength(1);
  expect(keysIn(world)[0]).toMatch(new RegExp(`^drover/${clusterId}/`));
  await world.timeline.pass(7200);
  const times = keysIn(world).map(
    (key) => Date.parse(key.split('/')[2]?.replace(/-\d+\.db$/, '') ?? '') / 60_000,
  );
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(gaps.length).toBeGreaterThanOrEqual(2);
  for (const minutes of gaps) expect(Math.abs(minutes - 33)).toBeLessThan(4);
  expect(world.problems).toEqual([]);
});

it('stores nothing in a bucket of another account than the deployment names', async () => {
  const owner = { DROVER_ETCD_SNAPSHOT_BUCKET_OWNER: '210987654321' };
  const world = createEtcdDroverWorld({
    snapshotBucket: bucket,
    editWiring: (wiring) => ({
      ...wiring,
      functions: wiring.functions.map((one) =>
        one.name === 'etcd-snapshot' ? { ...one, environment: { ...one.environment, ...owner } } : one,
      ),
    }),
  });
  addEtcdGroup(world, { size: 1 });
  await untilWhole(world, 1);
  const outcome = await world.lambda.invoke('etcd-snapshot', {});
  expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining('Access Denied') });
  expect(keysIn(world)).toEqual([]);
});

it('encrypts snapshots with the key of the deployment, which the role may use', async () => {
  const snapshotKmsKey = 'arn:aws:kms:eu-west-1:123456789012:key/snapshots';
  const world = createEtcdDroverWorld({ snapshotBucket: bucket, snapshotKmsKey });
  addEtcdGroup(world, { size: 3 });
  await untilWhole(world, 3);
  await world.timeline.pass(600);
  const [Key = ''] = keysIn(world);
  expect(world.account.s3.operations.HeadObject({ Bucket: bucket, Key })).toMatchObject({
    SSEKMSKeyId: snapshotKmsKey,
  });
});

it('counts no object that Drover did not store, and keeps its own snapshots', async () => {
  const world = createEtcdDroverWorld({ snapshotBucket: bucket });
  addEtcdGroup(world, { size: 3 });
  const clusterId = BigInt(await untilWhole(world, 3)).toString(16);
  await world.timeline.pass(600);
  const before = keysIn(world);
  for (let count = 0; count < 50; count += 1)
    world.account.s3.operations.PutObject({
      Bucket: bucket,
      Key: `drover/${clusterId}/${new Date(Date.UTC(2999, 0, 1, 0, count)).toISOString()}.db`,
      Body: Buffer.alloc(20_512),
    });
  await world.timeline.pass(7200);
  const own = keysIn(world).filter((key) => !key.includes('/2999-'));
  expect(own).toEqual(expect.arrayContaining([...before]));
  expect(own.length).toBeGreaterThan(3);
});

it('reports that a new snapshot has a lower revision than an earlier one', async () => {
  const world = createEtcdDroverWorld({ snapshotBucket: bucket });
  addEtcdGroup(world, { size: 3 });
  const clusterId = BigInt(await untilWhole(world, 3)).toString(16);
  await world.timeline.pass(600);
  const [first = ''] = keysIn(world);
  const { Body } = world.account.s3.operations.GetObject({ Bucket: bucket, Key: first });
  const reports = () => world.lines.filter(({ message }) => String(message).includes('lower revision'));
  expect(reports()).toEqual([]);
  const Key = `drover/${clusterId}/${new Date(world.clock.now()).toISOString()}-1042.db`;
  world.account.s3.operations.PutObject({ Bucket: bucket, Key, Body });
  await world.timeline.pass(3600);
  expect(reports()[0]).toMatchObject({ level: 'error', newestToRestore: Key });
});

it('fails while no member can be asked, once the newest snapshot is too old', async () => {
  const world = createEtcdDroverWorld({ snapshotBucket: bucket });
  addEtcdGroup(world, { size: 3 });
  await untilWhole(world, 3);
  await world.timeline.pass(600);
  for (const instanceId of inService(world)) world.etcd.world.kill(instanceId);
  const failures = () => world.problems.filter((one) => JSON.stringify(one).includes('NoHealthyMemberError'));
  await world.timeline.pass(3000);
  expect(failures()).toEqual([]);
  await world.timeline.pass(900);
  expect(failures().length).toBeGreaterThan(0);
});

it('removes a member only once a fresh snapshot exists', async () => {
  const world = createEtcdDroverWorld({ snapshotBucket: bucket });
  addEtcdGroup(world, { size: 3, heartbeatTimeoutSeconds: 1800 });
  await untilWhole(world, 3);
  await world.timeline.pass(400);
  for (const Key of keysIn(world)) world.account.s3.operations.DeleteObject({ Bucket: bucket, Key });
  const [leaving = ''] = inService(world);
  terminate(world, leaving);
  await world.timeline.until(() => lastReason(world).includes('there is no snapshot'), {
    withinSeconds: 60,
    what: 'the removal held',
  });
  expect(stateOf(world, leaving)).toBe('Terminating:Wait');
  await untilWhole(world, 3);
  expect(keysIn(world)).toHaveLength(1);
});
