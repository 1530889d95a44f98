import { describe, expect, it } from 'vitest';
import { enterInstance } from './namespace/instance.ts';
import { missingNamespaces } from './namespace/missing.ts';
import { textOf } from './support.ts';
import { kubeconfig, openAccount } from './wire-account.ts';

const parameter = '/drover/prod/bootstrap-kubeconfig';
const joined = '/var/lib/kubelet/kubeconfig';

const launch = async (flavour: string, flags = '') => {
  const account = await openAccount();
  account.put(parameter, kubeconfig);
  const instance = await enterInstance(await account.launch(await textOf(flavour, `--spread 0s ${flags}`)));
  await instance.boot();
  /** Fills a file system; `fill` is the file that does it. */
  const fill = (folder: string): Promise<unknown> =>
    instance.run('cat /dev/zero >"$1/fill"; sync', '', [folder]);
  return { account, fill, instance };
};

describe.skipIf(missingNamespaces !== undefined)(
  `an instance in trouble, in namespaces of its own${missingNamespaces === undefined ? '' : ` (skipped: ${missingNamespaces})`}`,
  () => {
    it('starts the kubelet of a node whose disk is full: the kubelet makes room', async () => {
      const { fill, instance } = await launch('script');
      expect(await instance.finish('kubelet.service')).toMatchObject({ status: 0 });
      await instance.shell('rm /run/kubelet-flags');
      // Its certificate is good.
      await instance.write('/usr/bin/openssl', '#!/bin/bash\n', '0755');
      for (const folder of ['/var/lib/drover-node', '/var/lib/kubelet', '/etc/kubernetes'])
        await fill(folder);
      expect(await instance.finish('kubelet.service')).toMatchObject({ status: 0 });
      expect(await instance.read('/run/kubelet-flags')).toContain(`--kubeconfig=${joined}\n`);
    });

    it('says that the disk is full, and reads its credential once there is room', async () => {
      const { fill, instance } = await launch('script');
      await fill('/var/lib/kubelet');
      const started = await instance.start('kubelet.service');
      await expect
        .poll(() => instance.read('/run/drover-node/why'), { interval: 50 })
        .toContain('No space left on device');
      await instance.shell('rm /var/lib/kubelet/fill');
      expect(await started.finished).toMatchObject({
        status: 0,
        log: expect.stringContaining('No space left on device'),
      });
      expect(await instance.read(joined)).toBe(`${kubeconfig}\n`);
    });

    it('keeps no part of an authority that the disk had no room for', async () => {
      const { fill, instance } = await launch('script');
      await fill('/etc/kubernetes');
      const { status, log } = await instance.finish('kubelet.service');
      expect([status, log]).toEqual([
        78,
        expect.stringContaining('/etc/kubernetes/drover-ca.crt cannot be written'),
      ]);
      expect(await instance.read('/etc/kubernetes/drover-ca.crt')).toBeUndefined();
    });

    it('takes no authority that the disk had room for only in part', async () => {
      const { account, fill, instance } = await launch('script');
      const pem = `-----BEGIN CERTIFICATE-----\n${'QUJD\n'.repeat(1000)}`;
      account.put(
        parameter,
        kubeconfig.replace(
          /(certificate-authority-data: ").*(")/,
          `$1${Buffer.from(pem).toString('base64')}$2`,
        ),
      );
      await fill('/etc/kubernetes');
      // Room for a page of memory, less than the authority.
      await instance.shell('truncate --size=-4096 /etc/kubernetes/fill');
      expect(await instance.finish('kubelet.service')).toMatchObject({
        status: 78,
        log: expect.stringContaining('/etc/kubernetes/drover-ca.crt cannot be written'),
      });
      expect(await instance.read('/etc/kubernetes/drover-ca.crt')).toBeUndefined();
      expect(await instance.shell('stat --format=%s /etc/kubernetes/drover-ca.crt.part')).toBe('4096\n');
      await instance.shell('rm /etc/kubernetes/fill');
      expect(await instance.finish('kubelet.service')).toMatchObject({ status: 0 });
      expect(await instance.read('/etc/kubernetes/drover-ca.crt')).toBe(pem);
    });

    it('starts over after its power failed in the middle of kubeadm', async () => {
      const { instance } = await launch('kubeadm');
      const original = (await instance.read('/usr/bin/kubeadm')) ?? '';
      await instance.write(
        '/usr/bin/kubeadm',
        '#!/bin/bash\necho x >/etc/kubernetes/kubelet.conf; echo "$*" >/run/begun; sleep 60\n',
        '0755',
      );
      const started = await instance.start('drover-node.service');
      await expect.poll(() => instance.read('/run/begun'), { interval: 50 }).toContain('join');
      started.kill();
      await started.finished;
      await instance.write('/usr/bin/kubeadm', original, '0755');
      expect(await instance.finish('drover-node.service')).toMatchObject({ status: 0 });
      expect(
        (await instance.read('/run/kubeadm-calls'))?.split('\n').map((call) => call.split(' ')[0]),
      ).toEqual(['reset', 'join', '']);
      expect(await instance.read('/etc/kubernetes/kubelet.conf')).toBe(`${kubeconfig}\n`);
    });

    it('is started again where kubeadm reset fails, for it may not fail the next time', async () => {
      const { instance } = await launch('kubeadm');
      await instance.write('/var/lib/drover-node/attempt', '');
      await instance.write('/usr/bin/kubeadm', '#!/bin/bash\nexit 1\n', '0755');
      expect(await instance.finish('drover-node.service')).toMatchObject({
        status: 1,
        log: expect.stringContaining('kubeadm reset failed'),
      });
    });

    it('joins nothing without its mark of an attempt: what a failed one leaves would look like a node', async () => {
      const { instance } = await launch('kubeadm');
      await instance.shell('mount -o remount,ro /var/lib/drover-node');
      expect(await instance.finish('drover-node.service')).toMatchObject({
        status: 78,
        log: expect.stringContaining('/var/lib/drover-node/attempt cannot be written'),
      });
      expect(await instance.read('/run/kubeadm-calls')).toBeUndefined();
    });

    it('reads the credential again where the kubelet could not join with an old one', async () => {
      const { account, instance } = await launch('script');
      account.put(parameter, kubeconfig.replace('abcdef.', 'oldold.'));
      const original = (await instance.read('/usr/bin/kubelet')) ?? '';
      await instance.write('/usr/bin/kubelet', '#!/bin/bash\nexit 1\n', '0755');
      expect((await instance.finish('kubelet.service')).status).toBe(1);
      account.put(parameter, kubeconfig);
      await instance.write('/usr/bin/kubelet', original, '0755');
      expect((await instance.finish('kubelet.service')).status).toBe(0);
      expect(await instance.read(joined)).toBe(`${kubeconfig}\n`);
    });

    it('joins in a subnet that has only IPv6, in which the metadata has no local-ipv4', async () => {
      const { account, instance } = await launch('script');
      account.answerMetadata((path) =>
        path.endsWith('local-ipv4') ? { status: 404, body: 'Not Found' } : undefined,
      );
      expect(await instance.finish('kubelet.service')).toMatchObject({ status: 0 });
    });

    it('asks once an attempt with the AWS CLI too, whose retries have no growing pauses', async () => {
      const { account, instance } = await launch('script');
      await instance.write(
        '/usr/bin/aws',
        '#!/bin/bash\necho "$AWS_MAX_ATTEMPTS" >/run/attempts; cat /run/value\n',
        '0755',
      );
      await instance.write('/run/value', kubeconfig);
      expect(await instance.finish('kubelet.service')).toMatchObject({ status: 0 });
      expect(await instance.read('/run/attempts')).toBe('1\n');
      expect(account.requests()).toBe(0);
    });
  },
);
