/** What people type, and the page that answers it. The page must be among the first three that are found, or the first. */
export interface SearchTerm {
  readonly typed: string;
  readonly page: string;
  readonly place: 'first' | 'within three';
  /** Where people asked for it in these words. */
  readonly askedIn: string;
}

const first = (typed: string, page: string, askedIn: string): SearchTerm => ({
  typed,
  page: `docs/${page}.html`,
  place: 'first',
  askedIn,
});
const near = (typed: string, page: string, askedIn: string): SearchTerm => ({
  ...first(typed, page, askedIn),
  place: 'within three',
});

const nth = (issue: number) => `aws/aws-node-termination-handler#${issue}`;
const autoscaler = (issue: number) => `kubernetes/autoscaler#${issue}`;
const karpenter = (issue: number) => `kubernetes-sigs/karpenter#${issue}`;
const awsKarpenter = (issue: number) => `aws/karpenter-provider-aws#${issue}`;
const kops = (issue: number) => `kubernetes/kops#${issue}`;
const ours = 'a first hour with these pages';

export const searchTerms: readonly SearchTerm[] = [
  first('uninstall', 'removing', 'k3s-io/k3s#86'),
  first('how to uninstall', 'removing', 'kubernetes/website#41149'),
  first('stuck terminating', 'troubleshooting', karpenter(1776)),
  near('PDB', 'troubleshooting', karpenter(1776)),
  near('pod disruption budget', 'operating', autoscaler(7907)),
  first('rollback', 'deployment', ours),
  near('IRSA', 'glossary', kops(12024)),
  near('x509', 'troubleshooting', kops(17409)),
  first('helm', 'glossary', nth(884)),
  near('helm chart', 'glossary', 'aws/eks-charts#37'),
  near('spot interruption', 'operating', 'aws/containers-roadmap#569'),
  near('node not drained', 'troubleshooting', nth(476)),
  near('drain node', 'cli', awsKarpenter(226)),
  near('ignore daemonsets', 'cli', 'kubernetes/kubernetes#37592'),
  near('delete emptydir data', 'cli', autoscaler(5456)),
  near('lifecycle hook', 'operating', nth(99)),
  near('heartbeat timeout', 'operating', nth(99)),
  near('rebalance recommendation', 'operating', nth(358)),
  near('node not joining', 'troubleshooting', kops(11302)),
  near('node not ready', 'troubleshooting', autoscaler(709)),
  near('certificate expired', 'etcd-certificates', kops(12985)),
  near('kubelet certificate', 'certificates', kops(15970)),
  near('CSR pending', 'troubleshooting', ours),
  near('unauthorized', 'troubleshooting', nth(546)),
  near('AccessDenied', 'troubleshooting', nth(373)),
  near('SQS queue', 'deployment', nth(884)),
  near('dead letter queue', 'operating', ours),
  near('scale down', 'capacity', autoscaler(7907)),
  near('cluster autoscaler', 'capacity', autoscaler(709)),
  near('kops', 'beside-other-tools', kops(8708)),
  near('machine pool', 'beside-other-tools', 'kubernetes-sigs/cluster-api-provider-aws#2574'),
  near('replace node termination handler', 'migrate-nth', 'aws/containers-roadmap#2756'),
  near('one asg per zone', 'group-layout', autoscaler(1431)),
  near('maxSurge', 'glossary', kops(14480)),
  near('IRSA', 'workloads', 'aws/amazon-eks-pod-identity-webhook#174'),
  near('HPA', 'workloads', autoscaler(3479)),
  near('scheduled action', 'capacity', kops(17738)),
  near('karpenter', 'comparison', awsKarpenter(226)),
  near('instance refresh', 'operating', kops(11302)),
  first('warm pool', 'joining', ours),
  near('maintenance window', 'operating', 'kubereboot/kured'),
  near('reboot', 'glossary', 'kubereboot/kured'),
  near('uncordon', 'operating', 'planetlabs/draino#17'),
  near('cordon', 'operating', 'planetlabs/draino#17'),
  near('drain timeout', 'operating', 'kubernetes-retired/kube-aws#1731'),
  near('finalizer', 'glossary', awsKarpenter(1166)),
  near('slack', 'notifications', ours),
  near('prometheus', 'glossary', nth(546)),
  near('max unavailable', 'glossary', kops(14480)),
  near('safe-to-evict', 'glossary', autoscaler(5456)),
  near('terraform module', 'deployment', nth(884)),
  first('cost', 'deployment', 'aws/aws-eks-best-practices#462'),
  near('upgrade', 'deployment', kops(11302)),
  near('private subnet', 'networking', ours),
  first('VPC endpoint', 'networking', ours),
  near('etcd restore', 'cli', kops(8959)),
  near('etcd quorum', 'etcd', kops(8959)),
  near('aws-auth', 'identity', kops(6154)),
  first('OpenShift machine sets', 'quick-start/openshift', ours),
  first('pause', 'operating', 'planetlabs/draino#17'),
  near('providerID', 'operating', ours),
  near('Rate exceeded', 'operating', ours),
  near('5xx load balancer', 'troubleshooting', nth(476)),
  near('bootstrap token', 'bootstrap-credentials', ours),
];
