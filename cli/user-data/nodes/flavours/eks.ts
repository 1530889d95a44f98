import type { Flavour } from '../flavour.ts';
import type { NodeSettings } from '../settings.ts';

/** What no flavour of EKS can do. */
export const notOnEks: Flavour['cannot'] = {
  ssm: 'EKS has no bootstrap tokens: its nodes join with IAM',
  controlPlane: 'AWS runs the control plane of EKS',
  init: 'AWS runs the control plane of EKS',
  podCidr: 'the VPC gives pods of EKS their addresses',
  etcdEndpoints: 'AWS runs the etcd of EKS',
  etcdDomain: 'AWS runs the etcd of EKS',
  registryParameter: 'only OpenShift reads it',
  nodeConfig: 'only OpenShift has it',
  nodeService: 'only OpenShift has it',
  kubelet: 'the image decides it',
  instanceIdName: 'the image names its nodes: set the host name type of the subnet or launch template',
};

const describe = (query: string): string =>
  `aws eks describe-cluster --name CLUSTER --query cluster.${query} --output text prints it`;

/** Settings that every node of EKS needs: to read them at boot would be one more call that can be throttled. */
export const neededOnEks: Flavour['needs'] = {
  endpoint: describe('endpoint'),
  certificateAuthority: describe('certificateAuthority.data'),
  serviceCidr: `${describe('kubernetesNetworkConfig.serviceIpv4Cidr')}; serviceIpv6Cidr where the cluster uses IPv6`,
};

/** What systemd neither splits nor replaces. */
export const isWord = (value: string): boolean => /^[\w./:=,@+<>-]*$/.test(value);

/** EKS images pass flags to the kubelet through an environment file of systemd, which splits at white space and reads quotes. */
export const wordProblems = ({ kubeletFlags }: NodeSettings): readonly string[] =>
  kubeletFlags
    .filter(({ value }) => !isWord(value))
    .map(
      ({ name }) =>
        `--kubelet-flag ${name} is refused: systemd would split or replace its value on this image; letters, digits and . / : = , @ + < > _ - pass`,
    );

/** EKS, CreateCluster: `^[0-9A-Za-z][A-Za-z0-9_-]*`, at most 100 characters. */
export const nameProblems = ({ clusterName }: NodeSettings): readonly string[] =>
  clusterName.includes('.')
    ? [`--cluster ${clusterName} is refused: the name of an EKS cluster has no dot`]
    : [];
