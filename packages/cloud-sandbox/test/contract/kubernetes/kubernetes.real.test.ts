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

/** What API servers do from a minor version on; the cases, and the sandbox, have the behaviour of 1.34. */
const since: readonly (readonly [minor: number, behaviour: string, why: string])[] = [
  [35, 'a deletion with malformed options is refused', 'the refusal is a 400 instead of a 500'],
  [
    35,
    'tables of pods, nodes and workloads have the columns that kubectl shows',
    'the table of ServiceAccounts has no column for Secrets',
  ],
  [36, 'a denied impersonation names the user', 'it names the request, because a role may allow single ones'],
];
const minor = Number(kubernetes.version.split('.')[1]);

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
  differs: new Map(since.flatMap(([first, behaviour, why]) => (minor < first ? [] : [[behaviour, why]]))),
  missing: kubernetes.missing,
});
