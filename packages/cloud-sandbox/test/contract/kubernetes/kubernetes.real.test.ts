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
  [37, 'a rule of a role needs verbs and resources', 'missing verbs come last, without an explanation'],
  [37, 'an owner reference needs a name and a UID', 'the field has its index, and is required'],
  [37, 'the providerID of a node cannot change', 'it is invalid instead of forbidden'],
  [37, 'a taint has one of three effects', 'each effect is named once, at one field'],
  [37, 'an invalid patch is refused', 'the words say nothing of the place'],
  [37, 'a patch with another UID is invalid', 'the UID is named once'],
  [37, 'an invalid body is not applied', 'the words are of another parser'],
  [37, 'a finalizer cannot be added during a deletion', 'the finalizer is named once'],
  [37, 'an access review needs either a resource or a path', 'the field is spec'],
  [37, 'an approval condition must be True', 'of conditions that exclude each other, both are named'],
  ...[
    'a node reads only its own Node',
    'a node lists the pods that are bound to it, and no others',
    'a node reads the Secrets that its pods use, and no others',
  ].map((behaviour): [number, string, string] => [37, behaviour, 'the words name the authorizer first']),
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
