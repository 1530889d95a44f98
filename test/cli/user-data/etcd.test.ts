import { spawnSync } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type MemberSettings, settingsText } from '../../../cli/user-data/etcd/settings.ts';
import { drover, userData } from './fake-instance.ts';

const run = (program: string, args: readonly string[], input: string) =>
  spawnSync(program, args, { input, encoding: 'utf8' });
const scriptIn = (text: string): string => /<<'DROVER'\n([\s\S]*?)DROVER\n/.exec(text)?.[1] ?? '';

interface CloudConfig {
  readonly write_files: readonly {
    readonly path: string;
    readonly permissions: string;
    readonly content: string;
  }[];
  readonly runcmd: readonly (readonly string[])[];
}

describe('drover user-data etcd', () => {
  it('prints a valid bash script, the same as it writes', async () => {
    const text = await userData();
    expect(text).toMatch(/^#!\/bin\/bash\n/);
    for (const script of [text, scriptIn(text)])
      expect(run('bash', ['-n'], script)).toMatchObject({ status: 0, stderr: '' });
    expect(scriptIn(text)).toContain("readonly cluster='prod'");
  });

  const hasShellcheck = run('shellcheck', ['--version'], '').status === 0;
  it.skipIf(!hasShellcheck)(
    `passes shellcheck${hasShellcheck ? '' : ' (skipped: it is not installed)'}`,
    async () => {
      const text = await userData();
      for (const script of [text, scriptIn(text)]) expect(run('shellcheck', ['-'], script).stdout).toBe('');
    },
  );

  it('prints the same as cloud-config', async () => {
    const script = await userData();
    const text = await userData('--format cloud-config');
    expect(text).toMatch(/^#cloud-config\n/);
    const { write_files: files, runcmd } = parse(text) as CloudConfig;
    expect(files.map(({ path, permissions }) => [path, permissions])).toEqual([
      ['/usr/local/sbin/drover-etcd', '0755'],
      ['/etc/systemd/system/etcd.service', '0644'],
    ]);
    expect(files[0]?.content).toBe(scriptIn(script));
    for (const { content } of files) expect(script).toContain(content);
    expect(runcmd.at(-1)).toEqual(['systemctl', 'restart', '--no-block', 'etcd.service']);
  });

  it('prints the same for Ignition, beside etcd, because other folders of Flatcar are read-only', async () => {
    const script = scriptIn(await userData('--etcd /opt/bin/etcd'));
    const { passwd, storage, systemd } = JSON.parse(await userData('--format ignition --etcd /opt/bin/etcd'));
    expect(passwd.users).toMatchObject([{ name: 'etcd', system: true }]);
    expect(storage.directories).toEqual(
      ['/var/lib/drover-etcd', '/var/lib/etcd'].map((path) => ({
        path,
        user: { name: 'etcd' },
        mode: 0o700,
      })),
    );
    const [{ path, mode, contents }] = storage.files;
    expect([path, mode]).toEqual(['/opt/bin/drover-etcd', 0o755]);
    expect(atob(contents.source.replace('data:;base64,', ''))).toBe(script);
    expect(systemd.units).toMatchObject([{ name: 'etcd.service', enabled: true }]);
    expect(systemd.units[0].contents).toContain('ExecStart=/opt/bin/drover-etcd\n');
  });

  it('prints a unit that waits, restarts after a failure, and stays down if etcd exits without an error', async () => {
    const text = await userData('--data-dir /data/etcd');
    for (const line of [
      'Type=notify',
      'TimeoutStartSec=infinity',
      'Restart=on-failure',
      'RequiresMountsFor=/data/etcd',
    ])
      expect(text).toContain(`\n${line}\n`);
  });

  it('holds no secret and fits into EC2’s limit of user data', async () => {
    for (const format of ['script', 'cloud-config', 'ignition']) {
      const text = await userData(`--format ${format}`);
      expect(Buffer.byteLength(text)).toBeLessThan(16_384);
      expect(text).not.toMatch(/PRIVATE KEY/);
    }
  });

  it.each([
    ['', /--domain/],
    ['--domain a.example', /DROVER_CLUSTER is not set/],
    ['--domain a.example --cluster a;b', /DROVER_CLUSTER is malformed/],
    ['--domain a.example --cluster a --data-dir data', /absolute path/],
    ['--domain a.example --cluster a --data-dir /da$(x)ta', /absolute path/],
    ['--domain a.example --cluster a --listen localhost', /IPv4 or IPv6/],
    ['--domain a.example --cluster a --source file', /ssm, dns/],
    ['--domain a.example --cluster a --peer-cn a,b', /common name/],
  ])('refuses %j', async (flags, message) => {
    const { exitCode, stderr, stdout } = await drover(flags);
    expect([exitCode, stderr, stdout]).toEqual([2, expect.stringMatching(message), '']);
  });
});

describe('the settings in the script', () => {
  it('are read back unchanged by a shell, whatever they contain', () => {
    const texts = fc.string({
      unit: fc.constantFrom(...'ab \'"$`\\;&|\n(){}<>*!#'.split('')),
      maxLength: 20,
    });
    fc.assert(
      fc.property(texts, texts, (clusterName, dataDirectory) => {
        const settings = { clusterName, dataDirectory, tls: true } as MemberSettings;
        const script = `${settingsText({ ...usual, ...settings })}\nprintf '%s\\0%s' "$cluster" "$data_directory"`;
        expect(run('bash', [], script).stdout).toBe(`${clusterName}\0${dataDirectory}`);
      }),
      { numRuns: 25 },
    );
  });
});

const usual: MemberSettings = {
  clusterName: 'prod',
  domain: 'etcd.example.internal',
  serviceName: '',
  source: 'ssm',
  memberParameters: '/drover/prod/etcd/members',
  pkiSource: '/drover/prod/pki',
  certificateDirectory: '',
  tls: true,
  peerCommonName: 'etcd-peer',
  dataDirectory: '/var/lib/etcd',
  listenAddress: '0.0.0.0',
  etcdPath: '/usr/local/bin/etcd',
};
