import { versions } from '@drover/cloud-sandbox/real/versions.ts';

/** Some test files that depend on the version of a program: a row of docs/compatibility.md. */
export interface VersionedSuite {
  readonly name: string;
  readonly program: keyof typeof versions;
  /** Folders and files. */
  readonly paths: readonly string[];
}

const sandbox = 'packages/cloud-sandbox/test/contract';

export const versionedSuites: readonly VersionedSuite[] = [
  { name: 'etcd: membership, snapshots, gateway', program: 'etcd', paths: [`${sandbox}/etcd`] },
  { name: 'etcd under Drover', program: 'etcd', paths: ['test/contract/etcd'] },
  { name: "Drover's etcd client", program: 'etcd', paths: ['test/contract/etcd-api'] },
  {
    name: '`kubectl drain` and the plan of a drain',
    program: 'kubernetes',
    paths: ['test/contract/kubectl-drain'],
  },
  { name: 'nodes that leave', program: 'kubernetes', paths: ['test/contract/leaving'] },
  { name: 'rolling replacement', program: 'kubernetes', paths: ['test/contract/roll'] },
  { name: 'nodes that join, bootstrap tokens', program: 'kubernetes', paths: ['test/contract/joining'] },
  { name: 'certificates of kubelets', program: 'kubernetes', paths: ['test/contract/certificates'] },
  { name: 'admission policies', program: 'kubernetes', paths: ['test/contract/admission'] },
  { name: 'token webhook and web identity', program: 'kubernetes', paths: ['test/contract/identity'] },
  {
    name: "Drover's Kubernetes client, evictions, selectors",
    program: 'kubernetes',
    paths: ['test/contract/kubernetes-client', 'test/contract/label-selectors'],
  },
  {
    name: 'rights and roles',
    program: 'kubernetes',
    paths: ['test/contract/rights', 'test/contract/clients'],
  },
  { name: 'the Kubernetes API of the sandbox', program: 'kubernetes', paths: [`${sandbox}/kubernetes`] },
  {
    name: 'kubectl against the sandbox',
    program: 'kubernetes',
    paths: [`${sandbox}/clients/kubectl.real.test.ts`],
  },
  {
    name: 'user data of kubeadm',
    program: 'kubernetes',
    paths: ['test/cli/user-data/nodes/readers.real.test.ts', 'test/cli/user-data/nodes/kubelet.real.test.ts'],
  },
  {
    name: 'quick starts and removal',
    program: 'kubernetes',
    paths: [
      'test/docs/quick-starts',
      'test/docs/removing.real.test.ts',
      'test/docs/examples/kubeconfigs.real.test.ts',
    ],
  },
];

/** The suite of a test file; undefined if no version matters to it. */
export const suiteOf = (file: string): VersionedSuite | undefined =>
  versionedSuites.find(({ paths }) => paths.some((path) => file === path || file.startsWith(`${path}/`)));

/** The versions of as many runs as it takes to have each of them, without the default run. */
export const otherRuns = (): readonly { readonly kubernetes: string; readonly etcd: string }[] =>
  Array.from({ length: Math.max(versions.kubernetes.length, versions.etcd.length) }, (_, turn) => ({
    kubernetes: versions.kubernetes[turn % versions.kubernetes.length] ?? versions.kubernetes[0],
    etcd: versions.etcd[turn % versions.etcd.length] ?? versions.etcd[0],
  })).slice(1);
