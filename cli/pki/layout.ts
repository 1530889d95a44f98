/** A certificate authority by the path of its files, without their ends. */
export type AuthorityPath = 'ca' | 'etcd/ca' | 'front-proxy-ca';

export interface Authority {
  readonly path: AuthorityPath;
  readonly commonName: string;
}

/** A certificate that an authority issues, with a key of its own. */
export interface Leaf {
  /** Below the folder, without its end: `etcd/server` is `etcd/server.crt` and `etcd/server.key`. */
  readonly path: string;
  readonly issuer: AuthorityPath;
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly usages: readonly ('server' | 'client')[];
  /** Host names and addresses; none for those that only dial. */
  readonly names: readonly string[];
  /** `short` for what reads every Secret and is renewed by habit. */
  readonly life: 'usual' | 'short';
}

/** What the certificates are made out for. */
export interface PkiNames {
  /** The discovery domain of etcd. */
  readonly domain: string;
  /** How clients reach the API server, beyond what it is called in every cluster. */
  readonly apiServerNames: readonly string[];
}

/** Paths and names are kubeadm's ("PKI certificates and requirements" in the documentation of Kubernetes). */
export const authorities: readonly Authority[] = [
  { path: 'ca', commonName: 'kubernetes' },
  { path: 'etcd/ca', commonName: 'etcd-ca' },
  { path: 'front-proxy-ca', commonName: 'front-proxy-ca' },
];

/** The key pair that signs the tokens of service accounts: `sa.key` and `sa.pub`. */
export const serviceAccountPath = 'sa';

export const droverClientPath = 'etcd/drover-client';
export const etcdServerPath = 'etcd/server';
export const apiServerPath = 'apiserver';

/** The common name that members ask of one another (`--peer-cert-allowed-cn`): no other certificate of etcd's authority carries it. */
export const peerCommonName = 'etcd-peer';

/** What every API server is called inside its cluster, where services live in kubeadm's default network. */
export const usualApiServerNames: readonly string[] = [
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
  'localhost',
  '10.96.0.1',
  '127.0.0.1',
  '::1',
];

const kubernetesClient = (path: string, commonName: string, organizations: readonly string[] = []): Leaf => ({
  path,
  issuer: 'ca',
  commonName,
  organizations,
  usages: ['client'],
  names: [],
  life: 'usual',
});

/** No names: etcd resolves the names of a client's certificate and refuses a client at another address (`checkCertSAN`). */
const etcdClient = (path: string, commonName: string, life: Leaf['life'] = 'usual'): Leaf => ({
  path,
  issuer: 'etcd/ca',
  commonName,
  organizations: [],
  usages: ['client'],
  names: [],
  life,
});

/** Both usages: peers are each other's clients, and the JSON gateway of a server dials the server itself. */
const etcdMember = (path: string, commonName: string, { domain }: PkiNames): Leaf => ({
  path,
  issuer: 'etcd/ca',
  commonName,
  organizations: [],
  usages: ['server', 'client'],
  names: [domain, `*.${domain}`, 'localhost', '127.0.0.1', '::1'],
  life: 'usual',
});

/** Every certificate of a cluster. Pure. */
export const leavesFor = (names: PkiNames): readonly Leaf[] => [
  {
    ...kubernetesClient(apiServerPath, 'kube-apiserver'),
    usages: ['server'],
    names: [...new Set([...usualApiServerNames, ...names.apiServerNames])],
  },
  kubernetesClient('apiserver-kubelet-client', 'kube-apiserver-kubelet-client', ['kubeadm:cluster-admins']),
  kubernetesClient('admin', 'kubernetes-admin', ['kubeadm:cluster-admins']),
  kubernetesClient('super-admin', 'kubernetes-super-admin', ['system:masters']),
  kubernetesClient('controller-manager', 'system:kube-controller-manager'),
  kubernetesClient('scheduler', 'system:kube-scheduler'),
  { ...kubernetesClient('front-proxy-client', 'front-proxy-client'), issuer: 'front-proxy-ca' },
  etcdMember(etcdServerPath, 'etcd-server', names),
  etcdMember('etcd/peer', peerCommonName, names),
  etcdClient('etcd/healthcheck-client', 'kube-etcd-healthcheck-client'),
  etcdClient('apiserver-etcd-client', 'kube-apiserver-etcd-client'),
  etcdClient(droverClientPath, 'drover', 'short'),
];

/** Every file of the folder, by its path below it. */
export const filesOf = (names: PkiNames): readonly string[] => [
  ...[...authorities, ...leavesFor(names)].flatMap(({ path }) => [`${path}.crt`, `${path}.key`]),
  `${serviceAccountPath}.key`,
  `${serviceAccountPath}.pub`,
];
