import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { enterInstance } from './namespace/instance.ts';
import { missingNamespaces } from './namespace/missing.ts';
import { textOf } from './support.ts';
import { kubeconfig, openAccount } from './wire-account.ts';

const bootstrapKubeconfig = '/drover/prod/bootstrap-kubeconfig';

const launch = async (flavour: string, flags = '') => {
  const account = await openAccount();
  for (const name of [bootstrapKubeconfig, '/drover/prod/node-bootstrapper-kubeconfig'])
    account.put(name, kubeconfig);
  const text = await textOf(flavour, flags);
  const launched = await account.launch(text);
  const instance = await enterInstance(launched);
  expect(await instance.boot()).toBe(text);
  return { account, launched, instance };
};

describe.skipIf(missingNamespaces !== undefined)(
  `an instance in namespaces of its own, with its user data as it was delivered${missingNamespaces === undefined ? '' : ` (skipped: ${missingNamespaces})`}`,
  () => {
    it.each(['script', 'flatcar', 'fedora-coreos'])(
      'becomes the kubelet with its kubeconfig: %s',
      async (flavour) => {
        const { account, instance, launched } = await launch(flavour, '--spread 0s');
        const { status, log } = await instance.finish('kubelet.service');
        expect([status, log]).toEqual([0, `drover: starts the kubelet as ${launched.privateDnsName}\n`]);
        expect(await instance.read('/var/lib/kubelet/kubeconfig')).toBe(`${kubeconfig}\n`);
        expect(await instance.read('/run/kubelet-flags')).toContain(
          `--provider-id=aws:///${launched.zone}/${launched.instanceId}\n`,
        );
        expect([account.requests(), account.faults]).toEqual([1, []]);
      },
    );

    it('joins with kubeadm, and starts no kubelet before', async () => {
      const { instance, launched } = await launch('kubeadm', '--spread 0s');
      expect(await instance.read('/run/systemctl-calls')).toBe(
        'daemon-reload\nenable drover-node.service\nstart --no-block drover-node.service\n',
      );
      expect(await instance.finish('drover-node.service')).toMatchObject({ status: 0 });
      expect(await instance.read('/etc/kubernetes/kubelet.conf')).toBe(`${kubeconfig}\n`);
      const { nodeRegistration } = parse((await instance.read('/run/kubeadm.yaml')) ?? '');
      expect(nodeRegistration.name).toBe(launched.privateDnsName);
      // What comes before the kubelet of the image.
      expect(await instance.finish('kubelet.service')).toMatchObject({ status: 0, log: '' });
    });

    it('has the credential of OpenShift 3.11 before its service starts', async () => {
      const { instance } = await launch('openshift-3.11', '--spread 0s');
      expect(await instance.read('/etc/origin/node/bootstrap.kubeconfig')).toBe(`${kubeconfig}\n`);
      expect((await instance.read('/run/systemctl-calls'))?.split('\n').slice(-3)).toEqual([
        'enable origin-node',
        'start --no-block origin-node',
        '',
      ]);
      expect(await instance.finish('origin-node.service')).toMatchObject({ status: 0, log: '' });
    });

    it.each(['eks-al2', 'eks-al2023'])('lets the kubelet of the image start: %s', async (flavour) => {
      const { account, instance } = await launch(flavour);
      expect(await instance.finish('kubelet.service')).toMatchObject({ status: 0, log: '' });
      expect(account.requests()).toBe(0);
    });
  },
);
