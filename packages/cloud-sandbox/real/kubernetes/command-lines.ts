import type { ClusterFiles } from './files.ts';

export interface ApiServerPlace {
  readonly files: ClusterFiles;
  readonly port: number;
  /** The flags of its etcd. */
  readonly etcd: readonly string[];
  /** Of loopback. */
  readonly address?: string;
  /** Of the Service `kubernetes`, where several API servers of one cluster need different ones. From 1.37 on loopback is refused. */
  readonly advertised?: string;
}

/** The flags of each component; its reference page on kubernetes.io explains them. */
export const apiServerOptions = ({
  files,
  port,
  etcd,
  address = '127.0.0.1',
  // Of the block for documentation.
  advertised = '192.0.2.1',
}: ApiServerPlace): readonly string[] => [
  ...etcd,
  `--bind-address=${address}`,
  `--advertise-address=${advertised}`,
  `--secure-port=${port}`,
  `--cert-dir=${files.directory}`,
  `--tls-cert-file=${files.servingCertificate}`,
  `--tls-private-key-file=${files.servingKey}`,
  `--client-ca-file=${files.certificateAuthority}`,
  `--token-auth-file=${files.tokens}`,
  '--service-account-issuer=https://kubernetes.default.svc',
  `--service-account-key-file=${files.serviceAccountPublicKey}`,
  `--service-account-signing-key-file=${files.serviceAccountKey}`,
  '--authorization-mode=Node,RBAC',
  '--enable-bootstrap-token-auth=true',
  '--service-cluster-ip-range=10.0.0.0/24',
  '--enable-admission-plugins=NodeRestriction',
  `--audit-policy-file=${files.auditPolicy}`,
  `--audit-log-path=${files.auditLog}`,
  // In megabytes. Who reads it reads one file, and a thousand nodes fill the usual hundred.
  '--audit-log-maxsize=4000',
  // Batches do not delay requests.
  '--audit-log-mode=batch',
  '--audit-log-batch-max-wait=1s',
];

export const controllerManagerOptions = ({
  files,
  port,
  kubeconfig,
  controllers,
}: {
  readonly files: ClusterFiles;
  readonly port: number;
  readonly kubeconfig: string;
  readonly controllers: readonly string[];
}): readonly string[] => [
  `--kubeconfig=${kubeconfig}`,
  '--bind-address=127.0.0.1',
  `--secure-port=${port}`,
  `--cert-dir=${files.directory}`,
  '--leader-elect=false',
  '--use-service-account-credentials',
  `--service-account-private-key-file=${files.serviceAccountKey}`,
  `--root-ca-file=${files.certificateAuthority}`,
  `--cluster-signing-cert-file=${files.certificateAuthority}`,
  `--cluster-signing-key-file=${files.certificateAuthorityKey}`,
  `--controllers=${controllers.join(',')}`,
  // Tests need thousands of pods within seconds.
  '--kube-api-qps=1000',
  '--kube-api-burst=2000',
];

export const schedulerOptions = ({
  port,
  kubeconfig,
}: {
  readonly port: number;
  readonly kubeconfig: string;
}): readonly string[] => [
  `--kubeconfig=${kubeconfig}`,
  `--authentication-kubeconfig=${kubeconfig}`,
  `--authorization-kubeconfig=${kubeconfig}`,
  '--bind-address=127.0.0.1',
  `--secure-port=${port}`,
  '--leader-elect=false',
  '--kube-api-qps=1000',
  '--kube-api-burst=2000',
];
