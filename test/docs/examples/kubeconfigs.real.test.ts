import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { kubeadm, program } from '@drover/cloud-sandbox/real/programs.ts';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { droverAt } from '../../cli/pki/support.ts';

const readme = readFileSync('examples/kubeadm/README.md', 'utf8');
/** With the version of this kubeadm: it refuses clusters of others than its own minor version and the one before. */
const step = (/# 2\. Your kubeconfig.*\n([^]*?)\n\n/.exec(readme)?.[1] ?? '').replace(
  /^kubernetesVersion: .*/m,
  `kubernetesVersion: v${kubeadm.version}`,
);

test.skipIf(kubeadm.missing !== undefined)(
  'kubeadm makes the kubeconfig of the README from the certificates of drover pki',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'drover-readme-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const made = await droverAt(Date.now())(
      `pki --domain etcd.prod.example.internal --names api.prod.example.internal --out ${join(folder, 'pki')}`,
    );
    expect(made).toMatchObject({ exitCode: 0 });
    const { status, stderr } = spawnSync('bash', ['-euc', step], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: `${dirname(program(kubeadm, 'kubeadm'))}:${process.env['PATH']}` },
    });
    expect(status, stderr).toBe(0);
    const { clusters } = parse(readFileSync(join(folder, 'admin.kubeconfig'), 'utf8'));
    expect(clusters[0].cluster.server).toBe('https://api.prod.example.internal:6443');
  },
);
