import * as z from 'zod/mini';
import { cidr, contains, overlaps, parseCidr, tenthAddress } from '../../../shared/net/cidr.ts';
import { s3AddressOf } from '../../pki/s3-address.ts';
import { labels, taints } from './labels.ts';

const matching = (pattern: RegExp, message: string) => z.string().check(z.regex(pattern, message));

const between = (minimum: number, maximum: number, what: string) => {
  const message = `${what} from ${minimum} to ${maximum}`;
  return z.number(message).check(z.int(message), z.minimum(minimum, message), z.maximum(maximum, message));
};

/** Names in Parameter Store (PutParameter), which are used unescaped in commands and in JSON. */
const parameterName = /^(?:\/[\w.-]+)+$/;
const parameterMessage =
  'write the name of a parameter with a slash before it, such as /drover/prod/bootstrap-kubeconfig';
const parameter = matching(parameterName, parameterMessage);
/** The beginning of such names, or of addresses in S3. */
const place = z
  .string()
  .check(z.refine((text) => parameterName.test(text) || s3AddressOf(text) !== undefined, parameterMessage));
const path = matching(/^(?:\/[\w.-]+)+$/, 'write an absolute path of letters, digits, dots and dashes');
/** The checks below read blocks of several settings: they are left out where one of them is none. */
const network = z.string().check(
  z.refine(cidr, {
    message: 'write a CIDR block such as 10.96.0.0/12 or fd00:10:96::/108',
    abort: true,
  }),
);

/** An address that programs can read, which the pattern does not ensure: it lets port 99999 pass. */
const address = (pattern: RegExp, message: string) =>
  z.string().check(z.refine((text) => pattern.test(text) && URL.canParse(text), message));

/** One printable line: whatever it contains, a shell and YAML read it back as it is once it is quoted. */
const line = matching(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, 'write it on one line, of printable characters');

const kubeletFlag = z.object({
  name: matching(/^[a-z][a-z0-9-]*$/, 'write a flag as NAME=VALUE, such as node-ip=10.0.0.7'),
  value: line,
});

/** A pod gets three at most (Kubernetes, `MaxDNSNameservers`): the kubelet leaves out the others and only reports it in an event. */
const dnsAddresses = z.array(z.union([z.ipv4(), z.ipv6()], 'write an IPv4 or IPv6 address')).check(
  z.maxLength(3, 'give three addresses at most: pods get no more'),
  z.refine((all) => new Set(all).size === all.length, 'an address is given twice'),
);

/**
 * What the user data of a node depends on; everything else it finds out on the instance. Absent is what was not given: a flavour refuses
 * what is given and has no meaning there.
 */
export const nodeSettings = z
  .object({
    clusterName: matching(
      /^[A-Za-z0-9][\w.-]{0,99}$/,
      'write a cluster name of letters, digits, dots and dashes, without spaces',
    ),
    kubernetesVersion: z.optional(
      matching(/^1\.\d{1,2}(?:\.\d{1,2})?$/, 'write a version of Kubernetes such as 1.34 or 1.34.4'),
    ),
    credential: z.enum(['ssm', 'iam']),
    credentialParameter: parameter,
    role: z.enum(['worker', 'control-plane']),
    init: z.boolean(),
    endpoint: z.optional(
      address(
        /^https:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/i,
        'write the address of the API server, such as https://api.example.com:6443',
      ),
    ),
    certificateAuthority: z.optional(
      matching(/^[A-Za-z0-9+/]+={0,2}$/, 'write the certificate authority as PEM in base64'),
    ),
    serviceCidr: z.optional(network),
    podCidr: z.optional(network),
    vpcCidrs: z.array(network),
    clusterDns: z.optional(dnsAddresses),
    labels,
    taints,
    kubeletFlags: z.array(kubeletFlag),
    maxPods: z.optional(between(1, 10_000, 'write a whole number')),
    nodeName: z.enum(['dns', 'instance-id']),
    kubelet: z.optional(path),
    /** Where the certificates are. */
    pkiSource: place,
    etcdEndpoints: z.array(
      address(
        /^https:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:]+\]):\d{1,5}$/i,
        'write members of etcd with a port, such as https://10.0.0.7:2379',
      ),
    ),
    /** The discovery domain of the etcd that runs beside the API server; undefined if etcd runs elsewhere. */
    etcdDomain: z.optional(
      matching(
        /^(?=.{1,200}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/,
        'write the discovery domain of etcd, such as etcd.example.internal',
      ),
    ),
    registryParameter: z.optional(parameter),
    nodeConfig: z.optional(
      matching(/^node-config-[a-z0-9-]+$/, 'write a node group such as node-config-compute'),
    ),
    nodeService: z.optional(z.enum(['atomic-openshift-node', 'origin-node'])),
    /** How long a boot asks for a parameter before it gives up. */
    fetchSeconds: between(60, 86_400, 'write whole seconds'),
    /** The first request of a boot comes at a random moment within this time. */
    spreadSeconds: between(0, 600, 'write whole seconds'),
    /** The launch hook that a boot completes if its instance is launched into a warm pool. */
    joiningHook: matching(/^[A-Za-z0-9_/-]{1,255}$/, 'write the name of a lifecycle hook'),
  })
  .check(
    z.refine(
      networksAreApart,
      'the CIDR blocks of services, pods and the VPC overlap: give each addresses of its own',
    ),
    ({ value, issues }) => {
      const outside = outsideServices(value);
      if (outside.length === 0) return;
      issues.push({
        code: 'custom',
        input: outside,
        path: ['clusterDns'],
        message: `${outside.join(', ')} is outside --service-cidr, so no pod would find a service by name: give addresses of it, or of 169.254.0.0/16 for NodeLocal DNSCache`,
      });
    },
  );

export type NodeSettings = z.infer<typeof nodeSettings>;

function networksAreApart(settings: {
  readonly serviceCidr?: string | undefined;
  readonly podCidr?: string | undefined;
  readonly vpcCidrs: readonly string[];
}): boolean {
  const blocks = [settings.serviceCidr, settings.podCidr].filter((one) => one !== undefined);
  const networks = blocks.map(parseCidr);
  const vpc = settings.vpcCidrs.map(parseCidr);
  const [services, pods] = networks;
  if (services && pods && overlaps(services, pods)) return false;
  return !networks.some((one) => vpc.some((other) => overlaps(one, other)));
}

/** https://kubernetes.io/docs/tasks/administer-cluster/nodelocaldns/ : the cache of a node listens on an address of its own. */
const nodeLocal = parseCidr('169.254.0.0/16');

function outsideServices({
  clusterDns = [],
  serviceCidr,
}: {
  readonly clusterDns?: readonly string[] | undefined;
  readonly serviceCidr?: string | undefined;
}): readonly string[] {
  if (serviceCidr === undefined) return [];
  const blocks = [parseCidr(serviceCidr), nodeLocal];
  return clusterDns.filter((address) => !blocks.some((block) => contains(block, address)));
}

/** The addresses of the cluster's DNS: as given, else the tenth of the services, as kubeadm and EKS choose it. Pure. */
export function clusterDnsOf({ clusterDns, serviceCidr }: NodeSettings): readonly string[] {
  if (clusterDns !== undefined) return clusterDns;
  const tenth = serviceCidr === undefined ? undefined : tenthAddress(parseCidr(serviceCidr));
  return tenth === undefined ? [] : [tenth];
}
