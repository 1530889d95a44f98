/**
 * Words that people type for a part of the site, and that its text does not have, or has less often than other parts. The address of a part
 * is that of the built site. `test/site/search-terms.test.ts` checks that each part exists.
 */
export const keywords: Readonly<Record<string, string>> = {
  'docs/removing.html': 'uninstall remove delete clean up',
  'docs/deployment.html#rolling-back': 'rollback roll back downgrade revert',
  'docs/deployment.html#upgrading-a-release': 'upgrade',
  'docs/deployment.html#upgrading': 'upgrade serverless',
  'docs/deployment.html#what-it-costs-at-rest': 'price pricing',
  'docs/glossary.html#words-of-other-tools':
    'helm chart irsa imds pod identity karpenter kops kured draino finalizer',
  'docs/troubleshooting.html#nodes-that-leave': 'stuck terminating pdb eviction blocked node not drained 5xx',
  'docs/troubleshooting.html#nodes-that-join': 'node not joining stuck pending notready csr pending',
  'docs/troubleshooting.html#the-functions': 'x509 unauthorized forbidden accessdenied timeout',
  'docs/operating.html#failed-drains': 'pdb stuck terminating drain timeout finalizer',
  'docs/operating.html#tags': 'drain timeout emptydir daemonset max leaving concurrency',
  'docs/operating.html#the-hook': 'lifecycle hook heartbeat timeout',
  'docs/operating.html#what-a-leaving-node-carries': 'spot interruption rebalance taint cordon load balancer',
  'docs/operating.html#pausing': 'maintenance window stop disable',
  'docs/operating.html#rate-limits-of-aws': 'throttling rate exceeded',
  'docs/operating.html#alarms': 'dead letter dlq alert',
  'docs/operating.html#node-repair': 'notready unhealthy replace node auto repair',
  'docs/certificates.html': 'csr kubelet serving certificate approve',
  'docs/etcd-certificates.html#renewal': 'x509 certificate expired rotate',
  'docs/etcd.html#what-happens': 'quorum member lost',
  'docs/identity.html': 'aws-auth aws-iam-authenticator',
  'docs/capacity.html#beside-other-tools': 'cluster autoscaler terraform drift',
  'docs/room-for-pods.html':
    'capacity planning simulate scheduler pending unschedulable how many nodes cluster-capacity',
  'docs/group-layout.html':
    'asg per zone az ebs volume spot node-template azrebalance warm pool mixed instances',
  'docs/beside-other-tools.html': 'kops cluster api capi capa awsmachinepool machine pool keiko',
  'docs/migrate-nth.html': 'nth replace uninstall queue processor managed tag',
  'docs/workloads.html': 'irsa pod identity hpa vpa serviceaccount role',
  'docs/capacity.html#scheduled-actions-of-auto-scaling':
    'putscheduledupdategroupaction cron scheduled scaling',
  'docs/comparison.html': 'karpenter node termination handler nth alternatives',
  'docs/deployment.html#install-without-nodejs': 'install cloudformation terraform module',
  'docs/quick-start/openshift.html': 'openshift okd machine sets upi',
  'docs/networking.html': 'vpc endpoint private subnet nat',
};
