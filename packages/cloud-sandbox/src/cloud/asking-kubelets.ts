import { parse } from 'yaml';
import type { SimulatedInstance } from '../aws/ec2/model.ts';
import { isForbiddenNodeLabel } from '../kubernetes/admission/node-labels.ts';
import { type AskingKubelet, startAskingKubelet } from '../kubernetes/kubelet/asking/asking-kubelet.ts';
import type { AskingParts, KubeletDisk } from '../kubernetes/kubelet/asking/living.ts';
import type { KubeletOptions } from '../kubernetes/kubelet/node-object.ts';
import type { Account } from './account.ts';

/** Kubelets that ask for their certificates. */
export interface AskingKubeletsOptions {
  /** The parameter that the user data of an instance reads its bootstrap kubeconfig from. */
  readonly bootstrapParameter: (instance: SimulatedInstance) => string;
  /** What they ask for in `expirationSeconds`; default: nothing, and the cluster's signing duration counts. */
  readonly expirationSeconds?: number;
  /** Whether the kubelet of an instance asks, when it starts; the others register their Nodes at once. Default: each asks. */
  readonly asks?: (instance: SimulatedInstance) => boolean;
}

interface Machines extends Pick<Account, 'ec2' | 'ssm' | 'autoScaling'> {
  readonly parts: AskingParts;
}

/** Starts a kubelet on an instance: its files are on the root volume, and the console shows what goes wrong. */
export function createAskingKubelets(
  { parts, ec2, ssm, autoScaling }: Machines,
  options: AskingKubeletsOptions,
): (instance: SimulatedInstance, node: KubeletOptions) => AskingKubelet {
  const disks = new Map<string, KubeletDisk>();
  const diskOf = ({ volumeId }: SimulatedInstance): KubeletDisk => {
    const disk = disks.get(volumeId) ?? {};
    disks.set(volumeId, disk);
    return disk;
  };
  const running = new Map<string, AskingKubelet>();
  ec2.onAddressesChanged(({ instanceId }) => running.get(instanceId)?.addressesChanged());
  ec2.onInstanceStateChange(({ instanceId, volumeId, state }) => {
    if (state === 'running') return;
    running.delete(instanceId);
    if (state === 'terminated') disks.delete(volumeId);
  });
  return (instance, node) => {
    const { instanceId } = instance;
    const kubelet = startAskingKubelet(parts, {
      node: {
        ...node,
        labels: ownLabels(node.labels),
        otherInternalIPs: () => otherAddresses(instance),
      },
      disk: diskOf(instance),
      expirationSeconds: options.expirationSeconds,
      bootstrapToken: () => tokenIn(ssm.controls.value(options.bootstrapParameter(instance))),
      mayJoin: () => !isWarm(autoScaling.controls.lifecycleState(instanceId)),
      onLine: (line) => ec2.accidents.writeConsole(instanceId, `${line}\n`),
    });
    running.set(instanceId, kubelet);
    return kubelet;
  };
}

/** The user data of an instance of a warm pool waits until the instance leaves the pool. */
const isWarm = (state = ''): boolean => state.startsWith('Warmed:');

/** A kubelet refuses to start with labels that it may not set: those are for others to set. */
const ownLabels = (labels: KubeletOptions['labels'] = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(labels).filter(([name]) => !isForbiddenNodeLabel(name)));

/** Every private IPv4 address of every interface is in the Node's status, as cloud-provider-aws writes them. */
const otherAddresses = ({ interfaces, privateIpAddress }: SimulatedInstance): readonly string[] =>
  interfaces.flatMap(({ addresses }) => addresses).filter((address) => address !== privateIpAddress);

interface Kubeconfig {
  readonly users?: readonly { readonly user?: { readonly token?: string } }[];
}

const tokenIn = (kubeconfig: string | undefined): string | undefined =>
  kubeconfig === undefined ? undefined : (parse(kubeconfig) as Kubeconfig).users?.[0]?.user?.token;
