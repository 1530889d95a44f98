import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMachine, missingTool } from './machine.ts';
import { textOf } from './support.ts';
import { kubeconfig, openAccount } from './wire-account.ts';

const parameter = '/drover/prod/bootstrap-kubeconfig';

async function boot(flags = '') {
  const account = await openAccount();
  account.put(parameter, kubeconfig);
  const [instance, machine] = [await account.launch(), createMachine()];
  const text = await textOf('script', `--kubelet ${machine.at('bin/kubelet')} ${flags}`);
  const [, script = ''] = /<<'DROVER'\n([\s\S]*?)^DROVER$/m.exec(text) ?? [];
  return {
    account,
    machine,
    script,
    run: (environment: Readonly<Record<string, string>> = {}, text = script) =>
      machine.run(text, { ...instance.environment, ...environment }),
  };
}

describe.skipIf(missingTool !== undefined)('the kubelet of a boot script', () => {
  it('makes files with the usual mode: pods of other users read what it makes for them', async () => {
    const { machine, run } = await boot();
    machine.program('kubelet', `umask >${machine.at('umask')}`);
    expect((await run()).status).toBe(0);
    expect(machine.read('umask')).toBe('0022\n');
  });

  it('gives pods the name servers behind systemd-resolved, unless a flag says others', async () => {
    const { machine, run } = await boot('--kubelet-flag resolv-conf=/mine');
    machine.write('run/systemd/resolve/resolv.conf', 'nameserver 10.0.0.2\n');
    await run();
    expect(machine.calls('kubelet')[0]?.filter((flag) => flag.startsWith('--resolv-conf'))).toEqual([
      '--resolv-conf=/run/systemd/resolve/resolv.conf',
      '--resolv-conf=/mine',
    ]);
  });
});

describe.skipIf(missingTool !== undefined)('kubeadm of a boot script', () => {
  it('makes files with the usual mode too', async () => {
    const account = await openAccount();
    account.put(parameter, kubeconfig);
    const [instance, machine] = [await account.launch(), createMachine()];
    const { write_files: files } = parse(await textOf('kubeadm'));
    const content = (end: string): string =>
      files.find(({ path }: { path: string }) => path.endsWith(end)).content;
    machine.write('etc/kubernetes/drover-kubeadm.yaml', content('drover-kubeadm.yaml'));
    machine.program('kubeadm', `umask >${machine.at('umask')}`);
    expect((await machine.run(content('/drover-node'), instance.environment)).status).toBe(0);
    expect(machine.read('umask')).toBe('0022\n');
  });
});

describe.skipIf(missingTool !== undefined)('a metadata service', () => {
  it('is never asked through a proxy, which would answer for another machine', async () => {
    const { run } = await boot('--fetch-timeout 1m');
    // Nothing listens on the port of this proxy: only Parameter Store is asked through it.
    const { status, log } = await run({ http_proxy: 'http://127.0.0.1:9', no_proxy: '' });
    expect(status).toBe(78);
    expect(log).toMatch(/could not be read for 60 s: .*127\.0\.0\.1/);
  });

  it.each([
    ['500', { status: 500, body: '' }],
    ['a page', { status: 200, body: '<html>Sign in</html>' }],
    ['a token refused', { status: 403, body: '' }],
  ])('keeps the kubelet waiting until it says the lifecycle state: %s', async (kind, answer) => {
    const { account, machine, run } = await boot();
    const broken = kind === 'a token refused' ? 'api/token' : 'target-lifecycle-state';
    let asked = 0;
    account.answerMetadata((path) => (path.endsWith(broken) && ++asked <= 3 ? answer : undefined));
    const { status, log } = await run();
    expect([status, asked > 3, machine.calls('kubelet').length]).toEqual([0, true, 1]);
    expect(log).toMatch(/waiting for .*; .*\w/);
  });

  it('waits for an identity that it can read, and says what it got', async () => {
    const { account, machine, run } = await boot();
    let asked = 0;
    account.answerMetadata((path) =>
      path.endsWith('instance-id') && ++asked <= 2 ? { status: 200, body: '<html>' } : undefined,
    );
    const { status, log } = await run();
    expect([status, machine.calls('kubelet').length]).toEqual([0, 1]);
    expect(log).toContain(
      'waiting for the instance metadata; it has values that are not those of an instance',
    );
  });

  it('may have only IPv6 addresses', async () => {
    const { account, machine, run } = await boot();
    account.answerMetadata((path) =>
      path.endsWith('local-ipv4') ? { status: 200, body: '2600:1f18::7' } : undefined,
    );
    expect([(await run()).status, machine.calls('kubelet').length]).toEqual([0, 1]);
  });

  it('without a role is named as the reason', async () => {
    const { account, run } = await boot('--fetch-timeout 1m');
    account.answerMetadata((path) =>
      path.includes('/iam/') ? { status: 404, body: 'Not Found' } : undefined,
    );
    const { status, log } = await run();
    expect(status).toBe(78);
    expect(log).toContain('for 60 s: the instance metadata has no iam/security-credentials/');
  });
});

describe.skipIf(missingTool !== undefined)('a request for a parameter', () => {
  it('counts against --fetch-timeout while it hangs', async () => {
    const { machine, run, script } = await boot('--fetch-timeout 1m --spread 0s');
    // Each call takes 40 s of a machine whose time passes when something sleeps.
    machine.program('aws', `echo 40 >>${machine.at('hung')}; exit 1`);
    machine.write('uptime', '0.00 0.00\n');
    machine.program(
      'timeout',
      `read -r up _ <${machine.at('uptime')}; echo "$((\${up%.*} + 40)).00 0.00" >${machine.at('uptime')}; shift; exec "$@"`,
    );
    expect((await run({}, script.replaceAll('/proc/uptime', machine.at('uptime')))).status).toBe(78);
    expect(machine.read('hung')?.trim().split('\n').length).toBeLessThanOrEqual(3);
  });

  const sleeps = (machine: ReturnType<typeof createMachine>): readonly number[] =>
    (machine.read('sleeps') ?? '').trim().split('\n').map(Number);

  it('first comes at a random moment, so that a group that starts is spread', async () => {
    const boots = [await boot('--spread 10m'), await boot('--spread 10m')];
    for (const { run } of boots) expect((await run()).status).toBe(0);
    const moments = boots.map(({ machine }) => sleeps(machine)[0] ?? 0);
    // Both at once: one time in 360,000.
    expect(Math.max(...moments)).toBeGreaterThan(0);
    expect(Math.max(...moments)).toBeLessThanOrEqual(600);
  });

  it('is repeated after random pauses of half a minute at most', async () => {
    const { account, machine, run } = await boot('--fetch-timeout 1m --spread 0s');
    account.refuse(() => 'ThrottlingException');
    await run();
    const pauses = sleeps(machine).slice(1);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(30);
    // Without a random part, every instance of a group would ask at the same moments. By chance it happens once in 30,000 runs.
    expect(pauses.slice(0, 5)).not.toEqual([2, 4, 8, 16, 30]);
    expect(new Set(pauses).size).toBeGreaterThan(1);
  });

  it('puts no credential on a command line, nor into a file that others read', async () => {
    const { machine, run } = await boot();
    const curl = machine.original('curl');
    machine.program(
      'curl',
      `printf '%s\\n' "$*" >>${machine.at('command-lines')}; umask >>${machine.at('umasks')}; exec ${curl} "$@"`,
    );
    expect((await run()).status).toBe(0);
    expect(machine.read('command-lines')).not.toMatch(/AKIA|ASIA|SecretAccessKey|Security-Token/);
    expect(machine.read('umasks')?.trim().split('\n').at(-1)).toBe('0077');
  });

  it('is bounded wherever curl is used: what hangs is asked again', async () => {
    for (const flavour of ['script', 'kubeadm', 'openshift-3.11', 'eks-al2']) {
      const calls = (await textOf(flavour)).split('\n').filter((line) => /\bcurl --/.test(line));
      expect(calls.length).toBeGreaterThan(0);
      for (const call of calls) expect(call).toMatch(/--max-time \d/);
    }
  });
});

describe('the unit of kubeadm', () => {
  it('is started again after a failure, also by a systemd that never restarts units of type oneshot', async () => {
    const { write_files: files } = parse(await textOf('kubeadm'));
    const { content } = files.find(({ path }: { path: string }) => path.endsWith('drover-node.service'));
    expect(content).toMatch(/^Type=simple$[\s\S]*^RemainAfterExit=yes$[\s\S]*^Restart=on-failure$/m);
    for (const line of ['TimeoutStartSec=infinity', 'RestartPreventExitStatus=78', 'StartLimitIntervalSec=0'])
      expect(content).toContain(`\n${line}\n`);
  });
});

describe('the units of a node', () => {
  it.each(['script', 'flatcar', 'fedora-coreos'])(
    'wait in a warm pool without an end, and stay down if another start would fix nothing: %s',
    async (flavour) => {
      const text = (await textOf(flavour)).replaceAll(String.raw`\n`, '\n');
      for (const line of [
        'TimeoutStartSec=infinity',
        'RestartPreventExitStatus=78',
        'StartLimitIntervalSec=0',
      ])
        expect(text).toContain(`\n${line}\n`);
    },
  );

  it.each(['kubeadm', 'eks-al2023', 'eks-al2', 'openshift-3.11'])(
    'of the image wait in a warm pool without an end: %s',
    async (flavour) => {
      expect(await textOf(flavour)).toMatch(
        /ExecStartPre=\/usr\/local\/sbin\/drover-(?:warm-pool|node leave-pool)\n\s*TimeoutStartSec=infinity\n/,
      );
    },
  );
});
