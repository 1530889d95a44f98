import { CliError, exitCodes } from '../../exit-codes.ts';
import type { FlavourName, LaunchTemplateFormat } from './names.ts';
import { type NodeSettings, nodeSettings } from './settings.ts';

export interface NodeFlags {
  readonly cluster?: string;
  readonly region?: string;
  readonly kubernetesVersion?: string;
  readonly credential?: 'ssm' | 'iam';
  readonly parameter?: string;
  readonly role: 'worker' | 'control-plane';
  readonly init?: true;
  readonly endpoint?: string;
  readonly certificateAuthority?: string;
  readonly serviceCidr?: string;
  readonly podCidr?: string;
  readonly vpcCidr?: readonly string[];
  readonly clusterDns?: readonly string[];
  readonly label?: readonly string[];
  readonly taint?: readonly string[];
  readonly kubeletFlag?: readonly string[];
  readonly maxPods?: number;
  readonly instanceType?: readonly string[];
  readonly prefixDelegation?: true;
  readonly nodeName: 'dns' | 'instance-id';
  readonly kubelet?: string;
  readonly parameterPrefix?: string;
  readonly s3?: string;
  readonly etcd?: 'beside';
  readonly etcdDomain?: string;
  readonly etcdEndpoint?: readonly string[];
  readonly registryParameter?: string;
  readonly nodeConfig?: string;
  readonly nodeService?: 'atomic-openshift-node' | 'origin-node';
  readonly fetchTimeout?: number;
  readonly spread?: number;
  readonly gzip?: true;
  readonly launchTemplate?: LaunchTemplateFormat | true;
  readonly newVersionOf?: string;
  readonly dryRun?: true;
  readonly json?: true;
  readonly check: boolean;
}

const joinsWithIam: ReadonlySet<FlavourName> = new Set(['eks-al2023', 'eks-al2', 'bottlerocket']);

/**
 * The settings that the flags say.
 *
 * @throws CliError with every flag that is wrong.
 */
export function settingsOf(
  name: FlavourName,
  flags: NodeFlags,
  environment: Readonly<Record<string, string | undefined>>,
): NodeSettings {
  const clusterName = flags.cluster ?? environment.DROVER_CLUSTER ?? '';
  const parsed = nodeSettings.safeParse({
    clusterName,
    ...withoutUndefined({
      kubernetesVersion: flags.kubernetesVersion,
      endpoint: flags.endpoint,
      certificateAuthority: flags.certificateAuthority,
      serviceCidr: flags.serviceCidr,
      podCidr: flags.podCidr,
      clusterDns: flags.clusterDns,
      maxPods: flags.maxPods,
      kubelet: flags.kubelet,
      etcdDomain: flags.etcdDomain,
      registryParameter: flags.registryParameter,
      nodeConfig: flags.nodeConfig,
      nodeService: flags.nodeService,
    }),
    credential: flags.credential ?? (joinsWithIam.has(name) ? 'iam' : 'ssm'),
    credentialParameter: flags.parameter ?? parameterOf(name, { ...flags, clusterName }, environment),
    role: flags.role,
    // Each instance of such a group initializes its own part of the cluster: none is the first.
    init: flags.init ?? flags.etcd === 'beside',
    vpcCidrs: flags.vpcCidr ?? [],
    labels: (flags.label ?? []).map(keyAndValue),
    taints: (flags.taint ?? []).map(taintParts),
    kubeletFlags: (flags.kubeletFlag ?? []).map((text) => nameAndValue(text.replace(/^--/, ''))),
    nodeName: flags.nodeName,
    pkiSource: flags.s3 ?? flags.parameterPrefix ?? `/drover/${clusterName}/pki`,
    etcdEndpoints: flags.etcd === 'beside' ? ['https://127.0.0.1:2379'] : (flags.etcdEndpoint ?? []),
    fetchSeconds: flags.fetchTimeout ?? 900,
    spreadSeconds: flags.spread ?? 10,
    joiningHook: environment.DROVER_JOINING_HOOK ?? 'drover-node-joining',
  });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues
    // They follow from a cluster name that is wrong.
    .filter(({ path }) => clusterNameIsRight(clusterName) || !derived.has(String(path[0])))
    .map(({ path, message }) => `${flagOf(path, flags)}: ${message}`);
  throw new CliError([...new Set(problems)].join('\n'), exitCodes.usage);
}

const derived: ReadonlySet<string> = new Set(['credentialParameter', 'pkiSource']);
const clusterNameIsRight = (name: string): boolean => /^[\w.-]+$/.test(name);

function parameterOf(
  name: FlavourName,
  { role, clusterName }: Pick<NodeFlags, 'role'> & { readonly clusterName: string },
  environment: Readonly<Record<string, string | undefined>>,
): string {
  if (name === 'openshift-3.11') return `/drover/${clusterName}/node-bootstrapper-kubeconfig`;
  const worker = environment.DROVER_BOOTSTRAP_PARAMETER ?? `/drover/${clusterName}/bootstrap-kubeconfig`;
  return role === 'worker' ? worker : `${worker}-control-plane`;
}

const flagNames: Readonly<Record<string, string>> = {
  clusterName: '--cluster',
  kubernetesVersion: '--kubernetes-version',
  credentialParameter: '--parameter',
  endpoint: '--endpoint',
  certificateAuthority: '--certificate-authority',
  serviceCidr: '--service-cidr',
  podCidr: '--pod-cidr',
  vpcCidrs: '--vpc-cidr',
  clusterDns: '--cluster-dns',
  labels: '--label',
  taints: '--taint',
  kubeletFlags: '--kubelet-flag',
  maxPods: '--max-pods',
  kubelet: '--kubelet',
  pkiSource: '--parameter-prefix',
  etcdEndpoints: '--etcd-endpoint',
  etcdDomain: '--etcd-domain',
  registryParameter: '--registry-parameter',
  nodeConfig: '--node-config',
  fetchSeconds: '--fetch-timeout',
  spreadSeconds: '--spread',
  joiningHook: 'DROVER_JOINING_HOOK',
};

/** With the value that was given several times: which of them is wrong. */
function flagOf([setting = 'serviceCidr', place]: readonly PropertyKey[], flags: NodeFlags): string {
  const flag = flagNames[String(setting)] ?? String(setting);
  const values = {
    labels: flags.label,
    taints: flags.taint,
    kubeletFlags: flags.kubeletFlag,
    vpcCidrs: flags.vpcCidr,
    etcdEndpoints: flags.etcdEndpoint,
    clusterDns: flags.clusterDns,
  }[String(setting)];
  const value = typeof place === 'number' ? values?.[place] : undefined;
  return value === undefined ? flag : `${flag} ${JSON.stringify(value)}`;
}

function nameAndValue(text: string): { readonly name: string; readonly value: string } {
  const at = text.indexOf('=');
  return at < 0 ? { name: text, value: 'true' } : { name: text.slice(0, at), value: text.slice(at + 1) };
}

function keyAndValue(text: string): { readonly key: string; readonly value: string } {
  const at = text.indexOf('=');
  return at < 0 ? { key: text, value: '' } : { key: text.slice(0, at), value: text.slice(at + 1) };
}

function taintParts(text: string): { readonly key: string; readonly value: string; readonly effect: string } {
  const at = text.lastIndexOf(':');
  return { ...keyAndValue(text.slice(0, Math.max(at, 0))), effect: text.slice(at + 1) };
}

const withoutUndefined = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
