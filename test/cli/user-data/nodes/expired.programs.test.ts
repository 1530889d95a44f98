import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMachine, missingTool } from './machine.ts';
import { textOf } from './support.ts';
import { kubeconfig, openAccount } from './wire-account.ts';

type Machine = ReturnType<typeof createMachine>;

const writtenFile = (text: string, end: string): string =>
  parse(text).write_files.find(({ path }: { path: string }) => path.endsWith(end)).content;

const kubeletPem = 'var/lib/kubelet/pki/kubelet-client-current.pem';

interface Case {
  readonly parameter: string;
  readonly certificate: string;
  /** Where the kubelet looks for the credential with which it requests a certificate. */
  readonly credential: string;
  /** Gives a machine what a node has that has joined; returns the script that runs when it starts again. */
  readonly joined: (machine: Machine) => Promise<string>;
}

const kubeadmNode =
  (flags = '') =>
  async (machine: Machine): Promise<string> => {
    const text = await textOf('kubeadm', flags);
    machine.write('etc/kubernetes/drover-kubeadm.yaml', writtenFile(text, 'drover-kubeadm.yaml'));
    machine.write('etc/kubernetes/kubelet.conf', `client-certificate: ${machine.at(kubeletPem)}\n`);
    return writtenFile(text, '/drover-node');
  };

const flavours: Readonly<Record<string, Case>> = {
  script: {
    parameter: '/drover/prod/bootstrap-kubeconfig',
    certificate: kubeletPem,
    credential: 'var/lib/kubelet/bootstrap-kubeconfig',
    joined: async (machine) => {
      machine.write('var/lib/kubelet/kubeconfig', 'x');
      machine.write('etc/kubernetes/drover-ca.crt', 'x');
      const text = await textOf('script', `--fetch-timeout 1m --kubelet ${machine.at('bin/kubelet')}`);
      return /<<'DROVER'\n([\s\S]*?)^DROVER$/m.exec(text)?.[1] ?? '';
    },
  },
  kubeadm: {
    parameter: '/drover/prod/bootstrap-kubeconfig',
    certificate: kubeletPem,
    credential: 'etc/kubernetes/bootstrap-kubelet.conf',
    joined: kubeadmNode('--fetch-timeout 1m'),
  },
  'openshift-3.11': {
    parameter: '/drover/prod/node-bootstrapper-kubeconfig',
    certificate: 'etc/origin/node/certificates/kubelet-client-current.pem',
    credential: 'etc/origin/node/bootstrap.kubeconfig',
    joined: async () =>
      `set -- at-start\n${writtenFile(await textOf('openshift-3.11', '--fetch-timeout 1m'), '/drover-node')}`,
  },
};

describe.skipIf(missingTool !== undefined).each(Object.entries(flavours))(
  `a node of the flavour %s that was off for weeks${missingTool === undefined ? '' : ` (skipped: ${missingTool} is not installed)`}`,
  (_, { parameter, certificate, credential, joined }) => {
    const start = async (content: string | undefined, hasOpenssl = true) => {
      const account = await openAccount();
      const [instance, machine] = [await account.launch(), createMachine()];
      const script = await joined(machine);
      if (content !== undefined) machine.write(certificate, content);
      if (hasOpenssl)
        machine.program(
          'openssl',
          `[[ "$*" == "x509 -noout -checkend 0 -in ${machine.at(certificate)}" ]] && grep -q valid "$6"`,
        );
      return { account, machine, run: () => machine.run(script, instance.environment) };
    };

    it('reads the credential that is published now, if its certificate has expired', async () => {
      const { account, machine, run } = await start('expired');
      machine.write(credential, 'of a year ago');
      account.put(parameter, kubeconfig);
      expect(await run()).toMatchObject({ status: 0 });
      expect(machine.read(credential)?.trim()).toBe(kubeconfig.trim());
      expect(account.requests()).toBe(1);
      // A machine that has joined does not join a second time: the kubelet itself requests a certificate.
      expect(machine.calls('kubeadm')).toEqual([]);
    });

    it('waits while Parameter Store throttles', async () => {
      const { account, machine, run } = await start('expired');
      account.put(parameter, kubeconfig);
      account.refuse((request) => (request <= 2 ? 'ThrottlingException' : undefined));
      expect(await run()).toMatchObject({ status: 0 });
      expect(machine.read(credential)?.trim()).toBe(kubeconfig.trim());
    });

    it('stays down with the reason, if the credential is gone', async () => {
      const { machine, run } = await start('expired');
      const { status, log } = await run();
      expect(status).toBe(78);
      expect(log).toContain(`${parameter} could not be read`);
      expect([machine.read(credential), machine.calls('kubelet')]).toEqual([undefined, []]);
    });

    it.each([
      ['its certificate is valid', 'valid', true],
      ['its image has no openssl, because the kubelet judges the certificate then', 'expired', false],
    ])('reads nothing if %s', async (__, content, hasOpenssl) => {
      const { account, machine, run } = await start(content, hasOpenssl);
      expect(await run()).toMatchObject({ status: 0 });
      expect([account.requests(), machine.read(credential)]).toEqual([0, undefined]);
    });
  },
);

describe.skipIf(missingTool !== undefined)('a node of kubeadm that was off for weeks', () => {
  const founded =
    '--role control-plane --init --endpoint https://api.example.com:6443 --service-cidr 10.96.0.0/12 --etcd-endpoint https://etcd.example.internal:2379';

  it.each([
    ['founded its cluster', founded, 'expired', 78],
    ['founded its cluster, and its certificate is valid', founded, 'valid', 0],
  ])('and %s', async (_, flags, content, status) => {
    const account = await openAccount();
    const [instance, machine] = [await account.launch(), createMachine()];
    const script = await kubeadmNode(flags)(machine);
    machine.write(kubeletPem, content);
    machine.program('openssl', `grep -q valid "$6"`);
    const run = await machine.run(script, instance.environment);
    expect([run.status, account.requests(), machine.calls('kubeadm')]).toEqual([status, 0, []]);
    expect(run.log.includes('replace it by an instance that joins')).toBe(status === 78);
  });

  it('removes the credential at the next start with a valid certificate', async () => {
    const account = await openAccount();
    const [instance, machine] = [await account.launch(), createMachine()];
    const script = await kubeadmNode()(machine);
    machine.write(kubeletPem, 'valid');
    machine.program('openssl', `grep -q valid "$6"`);
    machine.write('etc/kubernetes/bootstrap-kubelet.conf', kubeconfig);
    expect(await machine.run(script, instance.environment)).toMatchObject({ status: 0 });
    expect(machine.read('etc/kubernetes/bootstrap-kubelet.conf')).toBeUndefined();
  });
});

describe('a unit of OpenShift 3.11', () => {
  it('reads an expired credential again before each start of the node', async () => {
    const dropIn = writtenFile(await textOf('openshift-3.11'), '/60-drover-expired.conf');
    expect(dropIn).toBe('[Service]\nExecStartPre=/usr/local/sbin/drover-node at-start\n');
  });
});
