import { clusterDnsOf, type NodeSettings } from './settings.ts';

/** What every kubelet of a cluster that Drover approves certificates for has (kubelet.config.k8s.io/v1beta1). Pure. */
export function kubeletConfiguration(settings: NodeSettings, clientCaFile?: string) {
  const dns = clusterDnsOf(settings);
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    ...(clientCaFile !== undefined && {
      authentication: {
        anonymous: { enabled: false },
        webhook: { enabled: true },
        x509: { clientCAFile: clientCaFile },
      },
      authorization: { mode: 'Webhook' },
      cgroupDriver: 'systemd',
      containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
      staticPodPath: '/etc/kubernetes/manifests',
    }),
    clusterDomain: 'cluster.local',
    ...(dns.length > 0 && { clusterDNS: dns }),
    ...(settings.maxPods !== undefined && { maxPods: settings.maxPods }),
    rotateCertificates: true,
    serverTLSBootstrap: true,
  };
}
