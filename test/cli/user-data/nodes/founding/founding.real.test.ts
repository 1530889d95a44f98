import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { chosenEtcd } from '@drover/cloud-sandbox/real/etcd/binaries.ts';
import { kubeadm, kubernetes } from '@drover/cloud-sandbox/real/programs.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { missingNamespaces } from '../namespace/missing.ts';
import { userDataOf } from '../support.ts';
import { openAccount } from '../wire-account.ts';
import { enterControlPlane } from './control-plane-machine.ts';
import { openEtcdOutside } from './etcd-outside.ts';

const domain = 'etcd.example.internal';
const endpoint = 'https://api.example.com:6443';

const reason =
  kubeadm.missing ??
  kubernetes.missing ??
  missingNamespaces ??
  (chosenEtcd.isInstalled ? undefined : 'npm run real:etcd');

/** An account that has the certificates of `drover pki` in Parameter Store, and launches instances with one user data. */
async function openFoundry() {
  const directory = mkdtempSync(join(tmpdir(), 'founding-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const pki = join(directory, 'pki');
  execFileSync(process.execPath, ['cli/drover.ts', 'pki', '--domain', domain, '--out', pki], {
    stdio: 'pipe',
  });
  const account = await openAccount();
  for (const file of readdirSync(pki, { recursive: true, encoding: 'utf8' }))
    if (file.includes('.')) account.put(`/drover/prod/pki/${file}`, readFileSync(join(pki, file), 'utf8'));
  const etcdSocket = await openEtcdOutside(directory, pki);
  const { stdout } = await userDataOf(
    `kubeadm --cluster prod --no-check --kubernetes-version ${kubernetes.version} --gzip --role control-plane --endpoint ${endpoint} --service-cidr 10.96.0.0/12 --etcd beside --etcd-domain ${domain} --spread 0s`,
  );
  const userData = gunzipSync(Buffer.from(stdout, 'base64')).toString();
  return async () => {
    const launched = await account.launch(userData);
    const address = account.account.ec2.instances.find(launched.instanceId)?.privateIpAddress ?? '';
    const machine = await enterControlPlane(launched, { address, directory, etcdSocket });
    await machine.boot();
    return { ...machine, launched };
  };
}

const init = `init --skip-phases=upload-config,bootstrap-token,addon,show-join-command`;
const founding = [
  'init phase upload-config kubelet',
  'init phase bootstrap-token',
  'init phase addon all',
  'init phase upload-config kubeadm',
];

describe.skipIf(reason !== undefined)(
  `instances that run kubeadm ${kubernetes.version} with the authorities of drover pki${reason ? `: ${reason}` : ''}`,
  () => {
    it('found one cluster, also two at once, and a later one joins it that was cut short and changes nothing', {
      timeout: 240_000,
      meta: { claim: { area: 'etcd beside API servers', world: `kubeadm ${kubernetes.version}` } },
    }, async () => {
      const launch = await openFoundry();
      const first = [await launch(), await launch()];
      const runs = await Promise.all(first.map((one) => one.finish('drover-node.service')));
      expect(runs.map(({ status, output, log }) => (status === 0 ? 0 : `${output}${log}`))).toEqual([0, 0]);
      const [one] = first;
      if (!one) throw new Error('nothing was launched');
      expect(await Promise.all(first.map(({ kubeadmCalls }) => kubeadmCalls()))).toContainEqual([
        init,
        ...founding,
      ]);
      await one.kubectl([
        '--namespace=kube-system',
        'annotate',
        'configmap/kube-proxy',
        'example.com/of=ana',
      ]);

      const later = await launch();
      const cutShort = await later.start('drover-node.service');
      await expect
        .poll(() => later.read('/etc/kubernetes/manifests/kube-apiserver.yaml'), {
          timeout: 60_000,
          interval: 100,
        })
        .toContain('--etcd-servers=https://127.0.0.1:2379');
      cutShort.kill();
      const { status, output, log } = await later.finish('drover-node.service');
      expect([status, status === 0 ? '' : `${output}${log}`]).toEqual([0, '']);
      expect(await later.kubeadmCalls()).toEqual([
        init,
        'reset --force --skip-phases=remove-etcd-member',
        init,
      ]);
      // https://github.com/rancher/cluster-api-provider-rke2/issues/431: a kubelet that asks the API server beside it cannot report the end of
      // pods once its member is removed.
      expect(await later.read('/etc/kubernetes/kubelet.conf')).toContain(`server: ${endpoint}\n`);

      const nodes = await later.kubectl(['get', 'nodes', '--output=json']);
      const all = [...first, later].map(({ launched: { privateDnsName, instanceId, zone } }) => ({
        metadata: {
          name: privateDnsName,
          labels: { 'node-role.kubernetes.io/control-plane': '' },
        },
        spec: { providerID: `aws:///${zone}/${instanceId}` },
      }));
      expect(JSON.parse(nodes).items).toMatchObject(
        all.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1)),
      );
      const annotated = ['--namespace=kube-system', 'get', 'configmap/kube-proxy', '--output=yaml'];
      expect(await later.kubectl(annotated)).toContain('example.com/of: ana');
    });
  },
);
