import { readFileSync } from 'node:fs';
import { type NodeSettings, nodeSettings } from '../../../../cli/user-data/nodes/settings.ts';
import { runDrover } from '../../run-drover.ts';

/** A real certificate. */
export const authorityPem = readFileSync('local/world/tls/certificate.pem', 'utf8');
export const authority = Buffer.from(authorityPem).toString('base64');

/** What each flavour cannot do without. */
export const usualFlags: Readonly<Record<string, string>> = {
  script: '',
  kubeadm: '--kubernetes-version 1.34.4',
  'eks-al2023': eksFlags(),
  'eks-al2': `${eksFlags()} --kubernetes-version 1.32`,
  bottlerocket: eksFlags(),
  flatcar: '',
  'fedora-coreos': '',
  'openshift-3.11': '',
};

export const foundingFlags =
  '--role control-plane --init --endpoint https://api.example.com:6443 --service-cidr 10.96.0.0/12 --pod-cidr 10.244.0.0/16 --etcd-endpoint https://etcd.example.internal:2379';

/** A control plane with etcd on the same instances. */
export const besideFlags =
  '--role control-plane --kubernetes-version 1.34.4 --endpoint https://api.example.com:6443 --service-cidr 10.96.0.0/12 --etcd beside --etcd-domain etcd.example.internal';

function eksFlags(): string {
  return `--endpoint https://ABC.gr7.eu-west-1.eks.amazonaws.com --certificate-authority ${authority} --service-cidr 172.20.0.0/16`;
}

/** A machine without a network and without AWS. */
export const noMachine: Parameters<typeof runDrover>[1] = {
  environment: {},
  clock: { now: () => 0, after: () => ({ cancel: () => undefined }) },
  pause: () => Promise.reject(new Error('nothing waits here')),
  sendHttp: () => Promise.reject(new Error('no network here')),
};

/** `drover user-data` on such a machine. */
export const userDataOf = (line: string) =>
  runDrover(`user-data ${line}`.trim().replaceAll(/ +/g, ' '), noMachine);

/** The user data of a flavour; every one is complete with its usual flags. */
export async function textOf(flavour: string, flags = ''): Promise<string> {
  const line = `${flavour} --cluster prod --no-check ${usualFlags[flavour] ?? ''} ${flags}`;
  const { exitCode, stdout, stderr } = await userDataOf(line);
  if (exitCode !== 0) throw new Error(stderr);
  return stdout;
}

/** What the flags of a flavour mean that are given none. */
export const usualSettings: NodeSettings = nodeSettings.parse({
  clusterName: 'prod',
  credential: 'ssm',
  credentialParameter: '/drover/prod/bootstrap-kubeconfig',
  role: 'worker',
  init: false,
  vpcCidrs: [],
  labels: [],
  taints: [],
  kubeletFlags: [],
  nodeName: 'dns',
  pkiSource: '/drover/prod/pki',
  etcdEndpoints: [],
  fetchSeconds: 900,
  spreadSeconds: 10,
  joiningHook: 'drover-node-joining',
});
