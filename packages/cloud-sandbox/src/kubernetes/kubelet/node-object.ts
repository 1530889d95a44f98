import type { Node, Taint } from 'kubernetes-types/core/v1.d.ts';
import { timestamp } from '../store/object.ts';

/** What a kubelet is started with; what is left out is that of a small EC2 instance. */
export interface KubeletOptions {
  readonly nodeName: string;
  /** `aws:///eu-west-1a/i-0123456789abcdef0`. */
  readonly providerID?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly taints?: readonly Taint[];
  /** Quantities, e.g. `{ cpu: '2', memory: '8Gi', pods: '29' }`. */
  readonly capacity?: Readonly<Record<string, string>>;
  /** What of the capacity pods may ask for; default: all of it. */
  readonly allocatable?: Readonly<Record<string, string>>;
  /** Default: amd64. */
  readonly architecture?: 'amd64' | 'arm64';
  /** Default: an address worked out from the node's name. */
  readonly internalIP?: string;
  /** Of further addresses of its interfaces, asked at each report: cloud-provider-aws writes them all. */
  readonly otherInternalIPs?: () => readonly string[];
  readonly internalDNS?: string;
  /** Of the machine's boot; default: the node's name. */
  readonly bootID?: string;
  /** From the start to the Node being Ready; default 1. */
  readonly readyDelaySeconds?: number;
  /** From a pod being bound to its being Running and Ready; default 1. */
  readonly podStartSeconds?: number;
  /** How long pods take to end after they were asked to. Defaults to their whole grace period; their own annotation wins. */
  readonly podStopSeconds?: number;
}

const defaultCapacity = { cpu: '2', memory: '8Gi', pods: '110', 'ephemeral-storage': '20Gi' };

export function nodeObject(options: KubeletOptions, now: number): Node {
  const { nodeName, providerID, labels, annotations, taints, architecture = 'amd64' } = options;
  return {
    metadata: {
      name: nodeName,
      labels: {
        'beta.kubernetes.io/arch': architecture,
        'beta.kubernetes.io/os': 'linux',
        'kubernetes.io/arch': architecture,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/hostname': nodeName,
        ...labels,
      },
      ...(annotations !== undefined && { annotations }),
    },
    spec: {
      ...(providerID !== undefined && { providerID }),
      ...(taints !== undefined && { taints: [...taints] }),
    },
    status: nodeStatus(options, now, false),
  };
}

/** The status that a living kubelet posts. */
export function nodeStatus(
  options: KubeletOptions,
  now: number,
  ready: boolean,
): NonNullable<Node['status']> {
  const capacity = { ...defaultCapacity, ...options.capacity };
  const addresses = [
    { type: 'InternalIP', address: options.internalIP ?? addressFrom(options.nodeName) },
    ...(options.otherInternalIPs?.() ?? []).map((address) => ({ type: 'InternalIP', address })),
    { type: 'Hostname', address: options.nodeName },
    ...(options.internalDNS === undefined ? [] : [{ type: 'InternalDNS', address: options.internalDNS }]),
  ];
  return {
    capacity,
    allocatable: { ...capacity, ...options.allocatable },
    addresses,
    conditions: conditions(timestamp(now), ready),
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    nodeInfo: nodeInfo(options),
  };
}

function conditions(at: string, ready: boolean) {
  const pressure = (type: string, reason: string, message: string) => ({
    type,
    status: 'False',
    reason,
    message,
    lastHeartbeatTime: at,
    lastTransitionTime: at,
  });
  return [
    pressure('MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
    pressure('DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
    pressure('PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
    {
      type: 'Ready',
      status: ready ? 'True' : 'False',
      reason: ready ? 'KubeletReady' : 'KubeletNotReady',
      message: ready ? 'kubelet is posting ready status' : 'container runtime network not ready',
      lastHeartbeatTime: at,
      lastTransitionTime: at,
    },
  ];
}

function nodeInfo({ nodeName, bootID = nodeName, architecture = 'amd64' }: KubeletOptions) {
  return {
    architecture,
    operatingSystem: 'linux',
    kernelVersion: '6.1.0-simulated',
    osImage: 'Cloud sandbox',
    containerRuntimeVersion: 'containerd://2.0.0',
    kubeletVersion: 'v1.34.4',
    kubeProxyVersion: '',
    bootID,
    machineID: nodeName,
    systemUUID: nodeName,
  };
}

/** `ip-10-0-1-17.eu-west-1.compute.internal` carries its address; any other name is given one from its letters. */
function addressFrom(nodeName: string): string {
  const named = /^ip-(\d+)-(\d+)-(\d+)-(\d+)/.exec(nodeName);
  if (named !== null) return named.slice(1, 5).join('.');
  let sum = 7;
  for (const letter of nodeName) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_000;
  return `10.1.${Math.floor(sum / 254)}.${(sum % 254) + 1}`;
}
