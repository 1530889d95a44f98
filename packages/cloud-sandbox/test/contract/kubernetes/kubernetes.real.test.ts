import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type ControlPlane, startControlPlane } from '../../../real/kubernetes/control-plane.ts';
import { kubernetes } from '../../../real/programs.ts';
import { contract } from '../../../truth/contract.ts';
import { kubernetesCases } from './cases.ts';
import { kubernetesWorld } from './world.ts';

const directory = mkdtempSync(join(tmpdir(), 'kubernetes-contract-'));
let controlPlane: ControlPlane | undefined;
beforeAll(async () => {
  if (kubernetes.isInstalled) controlPlane = await startControlPlane({ directory, withScheduler: false });
});
afterAll(async () => {
  await controlPlane?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** With its controllers: what they do is not compared, and nothing may hang on their not being there. */
contract({
  area: 'Kubernetes API',
  world: `kube-apiserver ${kubernetes.version}`,
  cases: kubernetesCases,
  open: () => {
    if (!controlPlane) throw new Error('the control plane is not up');
    const { url, adminToken: token, files } = controlPlane;
    return kubernetesWorld({ url, token, certificateAuthority: files.authority.certificate });
  },
  missing: kubernetes.missing,
});
