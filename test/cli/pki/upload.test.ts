import { describe, expect, it } from 'vitest';
import { readEtcdClientCredentials } from '../../../shared/etcd/client-credentials.ts';
import { day } from './support.ts';
import { createBench } from './upload-bench.ts';

const keyHolders = ['etcd/ca.key', 'front-proxy-ca.key', 'admin.key', 'super-admin.key'];

describe('drover pki upload', () => {
  it('uploads each file encrypted under its own name, and the credentials of etcd-membership as one parameter', async () => {
    const { run, file, value, clock } = await createBench();
    const { code, out, err } = await run('--cluster prod --kms-key alias/a');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/\/drover\/prod\/pki\/etcd\/server\.key +created\n/);
    for (const path of ['ca.crt', 'ca.key', 'etcd/server.crt', 'etcd/peer.key', 'sa.pub'])
      expect(value(`/drover/prod/pki/${path}`)).toBe(file(path));
    const published = readEtcdClientCredentials(value('/drover/prod/etcd-client') ?? '');
    expect(published.clientKey).toBe(file('etcd/drover-client.key'));
    expect(Math.round((published.notAfter - clock.now()) / day)).toBe(30);
    expect(out).not.toContain('PRIVATE KEY');
  });

  it('uploads the keys that no node needs only with --all', async () => {
    const { run, file, value } = await createBench();
    await run('--cluster prod');
    for (const path of [...keyHolders, 'etcd/drover-client.key'])
      expect(value(`/drover/prod/pki/${path}`)).toBeUndefined();
    expect((await run('--cluster prod --all')).code).toBe(0);
    for (const path of keyHolders) expect(value(`/drover/prod/pki/${path}`)).toBe(file(path));
  });

  it('encrypts with the named KMS keys', async () => {
    const { run, keyArn } = await createBench();
    await run('--parameter-prefix /pki --client-parameter /etcd --kms-key alias/a --client-kms-key alias/b');
    expect([keyArn('/pki/ca.key'), keyArn('/etcd')]).toEqual([
      expect.stringMatching(/key\/a$/),
      expect.stringMatching(/key\/b$/),
    ]);
  });

  it.each(['', ' --dry-run'])(
    'warns%s that the default key protects from no reader of the account',
    async (flag) => {
      const { run } = await createBench();
      const { code, err } = await run(`--cluster prod${flag}`);
      expect(code).toBe(0);
      expect(err).toMatch(
        /^warning: the account's default key encrypts \/drover\/prod\/pki\/ca\.crt and \d+ more: .*; give --kms-key and --client-kms-key\n$/,
      );
      const client = await run(`--parameter-prefix /pki --client-parameter /etcd --kms-key alias/a${flag}`);
      expect(client.err).toBe('');
    },
  );

  it('prints with --dry-run what it would do, and changes nothing', async () => {
    const { run, value } = await createBench();
    const { out } = await run('--cluster prod --dry-run');
    expect(out).toMatch(/\/drover\/prod\/etcd-client +would create\n/);
    expect(value('/drover/prod/etcd-client')).toBeUndefined();
  });

  it('replaces no parameter without --overwrite', async () => {
    const { run, make, file, value } = await createBench();
    await run('--cluster prod');
    const before = value('/drover/prod/etcd-client');
    await make('--renew --only etcd/drover-client');
    const refused = await run('--cluster prod');
    expect([refused.code, refused.err]).toEqual([
      1,
      'drover: nothing was uploaded: /drover/prod/etcd-client hold other values: give --overwrite to replace them\n',
    ]);
    expect(value('/drover/prod/etcd-client')).toBe(before);
    const { out } = await run('--cluster prod --overwrite');
    expect(out).toMatch(/\/drover\/prod\/pki\/ca\.crt +kept\n/);
    expect(out).toMatch(/\/drover\/prod\/etcd-client +changed\n/);
    expect(value('/drover/prod/etcd-client')).toContain(JSON.stringify(file('etcd/drover-client.key')));
  });

  it('asks for the cluster of the certificates', async () => {
    const { run } = await createBench();
    expect(await run('')).toMatchObject({ code: 2, err: expect.stringContaining('--cluster') });
  });
});
