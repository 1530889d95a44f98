import type { CertificateSettings, InstanceFacts, NodeFacts } from '../../../shared/certificates/facts.ts';
import { instanceId, nodeName, now } from './requests.ts';

export const settings: CertificateSettings = {
  accountId: '123456789012',
  vpcId: '',
  instanceProfiles: [],
  joinWindowSeconds: 1800,
  primaryAddressesOnly: false,
  publicAddresses: false,
};

export const group = {
  autoScalingGroupName: 'workers',
  role: 'worker',
  lifecycleState: 'Pending:Wait',
} as const;

/** An instance that was launched two minutes ago and waits on its launch hook. */
export const instanceFacts = (changes: Partial<InstanceFacts> = {}): InstanceFacts => ({
  instanceId,
  state: 'running',
  nodeNames: [nodeName, instanceId],
  accountId: '123456789012',
  vpcId: 'vpc-0123456789abcdef0',
  instanceProfileArn: 'arn:aws:iam::123456789012:instance-profile/nodes/workers',
  groupTag: 'workers',
  group,
  launchedAt: now - 120_000,
  rootVolumeAttachedAt: now - 119_000,
  returnedAt: undefined,
  addresses: {
    dnsNames: [nodeName],
    primary: ['10.0.0.1', '2001:db8::1'],
    secondary: ['10.0.0.7'],
    publicDnsNames: ['ec2-203-0-113-1.eu-west-1.compute.amazonaws.com'],
    public: ['203.0.113.1'],
  },
  ...changes,
});

/** The Node of the instance, Ready. */
export const nodeFacts = (changes: Partial<NodeFacts> = {}): NodeFacts => ({
  instanceId,
  instanceState: 'running',
  isReady: true,
  createdAt: now - 60_000,
  addresses: ['10.0.0.1'],
  ...changes,
});
