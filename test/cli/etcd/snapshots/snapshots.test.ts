import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { domain, zoneId } from '../../../../local/world/etcd/etcd-world.ts';
import { inService } from '../../../../local/world/etcd/expectations.ts';
import { operatorOf } from '../../../support/etcd/operator.ts';
import { bucket, createWorld, createWorldWithMembers, place, temporaryFolder } from './support.ts';

interface Taken {
  readonly key: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly clusterId: string;
  readonly member: string;
}

const member = 'i-0123456789abcdef0';

describe('drover etcd snapshot', () => {
  it('uploads the database of a healthy member under the cluster and the time', async () => {
    const { world, clusterId, drover } = await createWorldWithMembers(3);
    const { code, out, err } = await drover(`snapshot ${place} --json`);
    expect([code, err]).toEqual([0, '']);
    const taken = JSON.parse(out) as Taken;
    expect(taken.key).toMatch(
      new RegExp(`^drover/drover/etcd/${clusterId}/\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z-\\d+\\.db$`),
    );
    expect(inService(world).map((id) => `${id}.${domain}`)).toContain(taken.member);
    const { Body } = world.account.s3.operations.GetObject({ Bucket: bucket, Key: taken.key });
    expect(createHash('sha256').update(Body).digest('hex')).toBe(taken.sha256);
    expect(Body).toHaveLength(taken.bytes);
    expect(createHash('sha256').update(Body.subarray(0, -32)).digest()).toEqual(
      Buffer.from(Body.subarray(-32)),
    );
  });

  it('takes the snapshot from the member that is named', async () => {
    const { world, drover } = await createWorldWithMembers(3);
    const last = inService(world).at(-1) ?? '';
    const { out } = await drover(`snapshot ${place} --prefix backups/ --kms-key alias/etcd --member ${last}`);
    expect(out).toMatch(
      new RegExp(`^backups/[0-9a-f]+/.* bytes of ${last}\\.${domain}, SHA-256 [0-9a-f]{64}\n$`),
    );
    const [key = ''] = world.account.s3.controls.keys(bucket);
    expect(world.account.s3.operations.HeadObject({ Bucket: bucket, Key: key })).toMatchObject({
      SSEKMSKeyId: 'alias/etcd',
    });
  });

  it('fails if no member answers, and says what to check', async () => {
    const world = createWorld();
    const drover = operatorOf(world);
    expect(await drover(`snapshot ${place}`)).toMatchObject({
      code: 1,
      err: expect.stringContaining('drover etcd status'),
    });
    expect(await drover(`snapshot ${place} --member ${member}`)).toMatchObject({
      code: 1,
      err: expect.stringContaining(member),
    });
    expect(await drover(`snapshot ${place} --dns-only`)).toMatchObject({
      code: 1,
      err: expect.stringContaining('omit --dns-only and run this where the members can be reached'),
    });
    const environment = { DROVER_ETCD_MODE: 'dns-only' };
    expect(await operatorOf(world, ['*'], { environment })(`snapshot ${place}`)).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        'DROVER_ETCD_MODE is dns-only; unset it and run this where the members can be reached',
      ),
    });
  });

  it('stores nothing if the bucket does not exist or belongs to another account', async () => {
    const { world, drover } = await createWorldWithMembers(1);
    expect(await drover('snapshot --cluster drover --bucket other')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/the bucket other: The specified bucket does not exist/),
    });
    const reader = operatorOf(world, ['autoscaling:*', 'ec2:*', 'route53:*', 'ssm:*', 'kms:Decrypt']);
    expect(await reader(`snapshot ${place}`)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/the bucket prod-etcd: .*s3:PutObject/),
    });
    expect(world.account.s3.controls.openUploads(bucket)).toBe(0);
  });
});

describe('drover etcd snapshots', () => {
  const hours = async (count: number) => {
    const { world, drover } = await createWorldWithMembers(1);
    for (let hour = 0; hour < count; hour += 1) {
      await drover(`snapshot ${place}`);
      await world.timeline.pass(3600);
    }
    return { world, drover };
  };

  it('lists the snapshots, newest first, and no other object of the bucket', async () => {
    const { world, drover } = await hours(2);
    world.account.s3.operations.PutObject({
      Bucket: bucket,
      Key: 'drover/drover/etcd/readme',
      Body: Buffer.from('x'),
    });
    const { out } = await drover(`snapshots ${place}`);
    const [, first = '', second = '', ...rest] = out.trimEnd().split('\n');
    expect(rest).toEqual([]);
    expect(first > second).toBe(true);
    const ages = (JSON.parse((await drover(`snapshots ${place} --json`)).out) as { takenAt: string }[]).map(
      ({ takenAt }) => takenAt,
    );
    expect(ages).toEqual(ages.toSorted().toReversed());
    expect(ages).toHaveLength(2);
  });

  it('ignores an object that Drover did not store, and says why', async () => {
    const { world, drover } = await hours(2);
    const [oldest = '', newest = ''] = world.account.s3.controls.keys(bucket);
    const forged = oldest.replace(/[^/]+$/, '2999-01-01T00:00:00.000Z.db');
    const { Body } = world.account.s3.operations.GetObject({ Bucket: bucket, Key: oldest });
    world.account.s3.operations.PutObject({ Bucket: bucket, Key: forged, Body });
    const { out } = await drover(`snapshots ${place} --prune --keep 1 --days 1`);
    expect(out).toMatch(/2999-.* ignored: its name is ahead of the time at which S3 took it/);
    expect(world.account.s3.controls.keys(bucket)).toEqual([newest, forged]);
    const file = join(temporaryFolder(), 'snapshot.db');
    const restored = await drover(`restore ${place} --member ${member} --out ${file} --json`);
    expect(JSON.parse(restored.out)).toMatchObject({ key: newest });
  });

  it('reads no bucket of another account than --bucket-owner names', async () => {
    const drover = operatorOf(createWorld());
    expect(await drover(`snapshots ${place} --bucket-owner 123456789012`)).toMatchObject({ code: 0 });
    expect(await drover(`snapshots ${place} --bucket-owner 210987654321`)).toMatchObject({
      code: 1,
      err: expect.stringContaining('Access Denied'),
    });
  });

  it('says which bucket and prefix have no snapshots: those of the function may be others', async () => {
    expect(await operatorOf(createWorld())(`snapshots ${place}`)).toMatchObject({
      code: 0,
      out: `there are no snapshots in s3://${bucket}/drover/drover/etcd\n`,
    });
  });

  it('removes expired snapshots with --prune, and only names them with --dry-run', async () => {
    const { world, drover } = await hours(4);
    const before = world.account.s3.controls.keys(bucket);
    const dry = await drover(`snapshots ${place} --prune --keep 2 --days 1 --dry-run`);
    expect(dry.out.match(/would remove/g)).toHaveLength(2);
    expect(world.account.s3.controls.keys(bucket)).toEqual(before);
    const { out } = await drover(`snapshots ${place} --prune --keep 2 --days 1`);
    expect(out.match(/removed/g)).toHaveLength(2);
    expect(world.account.s3.controls.keys(bucket)).toEqual(before.slice(2));
  });

  it.each(['--keep 0', '--days 0', '--dry-run'])('refuses %s', async (flags) => {
    const { code } = await operatorOf(createWorld())(`snapshots ${place} ${flags}`);
    expect(code).toBe(2);
  });
});

describe('drover etcd restore', () => {
  it('downloads the newest snapshot, verifies it, and prints the command for the first member', async () => {
    const { world, clusterId, drover } = await createWorldWithMembers(1);
    await drover(`snapshot ${place}`);
    await world.timeline.pass(60);
    const { key, sha256, bytes } = JSON.parse((await drover(`snapshot ${place} --json`)).out) as Taken;
    const file = join(temporaryFolder(), 'snapshot.db');
    const { code, out, err } = await drover(`restore ${place} --member ${member} --out ${file}`);
    expect([code, err]).toEqual([0, '']);
    expect(createHash('sha256').update(readFileSync(file)).digest('hex')).toBe(sha256);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(out).toContain(`# ${key}, of cluster ${clusterId}: ${bytes} bytes, whole, in ${file}`);
    const url = `https://${member}.${domain}:2380`;
    expect(out).toContain(`etcdutl snapshot restore ${file} \\
  --name ${member} \\
  --initial-cluster ${member}=${url} \\
  --initial-cluster-token drover-restore-`);
    expect(out).toContain(`--initial-advertise-peer-urls ${url}`);
    // A data directory may be a mounted volume, which cannot be moved.
    expect(out).toMatch(/^mv \/var\/lib\/etcd\/restored-(\w+)\/member \/var\/lib\/etcd\/member && rmdir /m);
    expect(out).not.toMatch(/mv \/var\/lib\/etcd /);
    expect(out).toMatch(
      new RegExp(
        `\ndrover etcd adopt --cluster drover --domain ${domain} --zone ${zoneId} --cluster-id [0-9a-f]+\n`,
      ),
    );
  });

  it('prints how the data of the lost cluster is set aside on the other members, which would start with it', async () => {
    const { drover } = await createWorldWithMembers(1);
    await drover(`snapshot ${place}`);
    const file = join(temporaryFolder(), 'snapshot.db');
    const { out } = await drover(`restore ${place} --member ${member} --out ${file} --data-dir /data`);
    expect(out).toMatch(
      /lost cluster, or run there, as root:\nsystemctl stop etcd\n.* mv \/data\/member \/data\/member.before-\w+\nsystemctl start etcd\n\n# An API server .* must be restarted/,
    );
  });

  it('skips a later snapshot of a lower revision, says so, and takes it if it is named', async () => {
    const { world, clusterId, drover } = await createWorldWithMembers(1);
    const { key } = JSON.parse((await drover(`snapshot ${place} --json`)).out) as Taken;
    await world.timeline.pass(60);
    const { Body } = world.account.s3.operations.GetObject({ Bucket: bucket, Key: key });
    const later = `drover/drover/etcd/${clusterId}/${new Date(world.clock.now()).toISOString()}-0.db`;
    world.account.s3.operations.PutObject({ Bucket: bucket, Key: later, Body });
    const file = (name: string) => join(temporaryFolder(), name);
    const { code, out, err } = await drover(`restore ${place} --member ${member} --out ${file('newest.db')}`);
    expect([code, out]).toEqual([0, expect.stringContaining(`# ${key}, of`)]);
    expect(err).toBe(
      `warning: 1 later snapshots have a lower revision than ${key}, the newest is ${later}: an empty etcd may have taken the place of the cluster. Name one to restore it.\n`,
    );
    const { out: list } = await drover(`snapshots ${place}`);
    expect(list.split('\n').filter((line) => line.includes('restore skips it'))).toEqual([
      expect.stringContaining(later),
    ]);
    const named = await drover(`restore ${later} ${place} --member ${member} --out ${file('named.db')}`);
    expect([named.out.includes(`# ${later}, of`), named.err]).toEqual([true, '']);
  });

  it('downloads the named snapshot, and prints a new cluster id with --json', async () => {
    const { world, clusterId, drover } = await createWorldWithMembers(1);
    const { key } = JSON.parse((await drover(`snapshot ${place} --json`)).out) as Taken;
    await world.timeline.pass(60);
    await drover(`snapshot ${place}`);
    const file = join(temporaryFolder(), 'one.db');
    const { out } = await drover(`restore ${key} ${place} --member ${member} --out ${file} --json`);
    const told = JSON.parse(out) as { key: string; snapshotOf: string; clusterId: string };
    expect(told).toMatchObject({ key, snapshotOf: clusterId });
    expect(told.clusterId).not.toBe(clusterId);
  });

  const damages: readonly (readonly [string, (content: Buffer) => Uint8Array])[] = [
    ['a bit of the snapshot is flipped', (content) => content.fill(content[0] === 1 ? 2 : 1, 0, 1)],
    ['the end of the snapshot is missing', (content) => content.subarray(0, -1)],
    ['the snapshot is empty', () => new Uint8Array()],
  ];
  it.each(damages)('leaves no file if %s', async (_, damage) => {
    const { world, drover } = await createWorldWithMembers(1);
    const { key } = JSON.parse((await drover(`snapshot ${place} --json`)).out) as Taken;
    const { operations } = world.account.s3;
    const { Body } = operations.GetObject({ Bucket: bucket, Key: key });
    operations.PutObject({ Bucket: bucket, Key: key, Body: damage(Buffer.from(Body)) });
    const file = join(temporaryFolder(), 'snapshot.db');
    expect(await drover(`restore ${key} ${place} --member ${member} --out ${file}`)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('the snapshot is incomplete'),
    });
    expect([existsSync(file), existsSync(`${file}.part`)]).toEqual([false, false]);
  });

  it('does not overwrite a file', async () => {
    const { drover } = await createWorldWithMembers(1);
    await drover(`snapshot ${place}`);
    const file = join(temporaryFolder(), 'snapshot.db');
    writeFileSync(file, 'mine');
    expect(await drover(`restore ${place} --member ${member} --out ${file}`)).toMatchObject({
      code: 1,
      err: expect.stringContaining('not overwritten'),
    });
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  it('names the file that cannot be written', async () => {
    const { drover } = await createWorldWithMembers(1);
    await drover(`snapshot ${place}`);
    const file = join(temporaryFolder(), 'missing', 'snapshot.db');
    expect(await drover(`restore ${place} --member ${member} --out ${file}`)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^drover: .*snapshot\.db\.part cannot be written: ENOENT/),
    });
  });

  it('asks for --cluster if the bucket has several clusters', async () => {
    const { world, clusterId, drover } = await createWorldWithMembers(1);
    await drover(`snapshot ${place}`);
    const [own = ''] = world.account.s3.controls.keys(bucket);
    const { Body } = world.account.s3.operations.GetObject({ Bucket: bucket, Key: own });
    const other = own.replace(clusterId, 'abc');
    world.account.s3.operations.PutObject({ Bucket: bucket, Key: other, Body });
    const file = join(temporaryFolder(), 'snapshot.db');
    const line = `restore ${place} --member ${member} --out ${file}`;
    expect(await drover(line)).toMatchObject({ code: 1, err: expect.stringContaining('--cluster-id') });
    expect(await drover(`${line} --cluster-id ${clusterId}`)).toMatchObject({ code: 0 });
  });

  it.each([
    [`restore ${place} --member web-1`, 2, /id of an instance/],
    [`restore ${place}`, 2, /--member/],
    [`restore none ${place} --member ${member}`, 1, /there is no snapshot none/],
    [`restore ${place} --member ${member}`, 1, /there is no snapshot/],
  ])('refuses %s', async (line, code, message) => {
    expect(await operatorOf(createWorld())(line)).toMatchObject({
      code,
      err: expect.stringMatching(message),
    });
  });
});
