import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ControlPlane, startControlPlane } from '@drover/cloud-sandbox/real/kubernetes/control-plane.ts';
import { kubernetes } from '@drover/cloud-sandbox/real/programs.ts';
import { kubernetesWorld } from '@drover/cloud-sandbox/test/contract/kubernetes/world.ts';
import { contract } from '@drover/cloud-sandbox/truth/contract.ts';
import { afterAll, beforeAll } from 'vitest';
import { kubernetesClientCases } from './cases.ts';

const directory = mkdtempSync(join(tmpdir(), 'kubernetes-client-'));
let controlPlane: ControlPlane | undefined;
beforeAll(async () => {
  if (kubernetes.isInstalled) controlPlane = await startControlPlane({ directory, withScheduler: false });
});
afterAll(async () => {
  await controlPlane?.stop();
  rmSync(directory, { recursive: true, force: true });
});

contract({
  area: "Drover's Kubernetes client",
  world: `kube-apiserver ${kubernetes.version}`,
  cases: kubernetesClientCases,
  open: () => {
    if (!controlPlane) throw new Error('the control plane is not up');
    const { url, adminToken: token, files } = controlPlane;
    return kubernetesWorld({ url, token, certificateAuthority: files.authority.certificate });
  },
  missing: kubernetes.missing,
});
