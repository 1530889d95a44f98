import type { Ec2 } from '../aws/ec2/ec2.ts';
import type { SimulatedInstance } from '../aws/ec2/model.ts';
import type { Kubelet } from '../kubernetes/kubelet/kubelet.ts';
import type { KubeletOptions } from '../kubernetes/kubelet/node-object.ts';
import type { SimulationClock } from '../simulation/clock.ts';
import { nodeCapacity } from './node-capacity.ts';

export interface KubeletsOptions {
  readonly ec2: Ec2;
  readonly clock: SimulationClock;
  readonly clusterName: string;
  readonly startKubelet: (options: KubeletOptions, instance: SimulatedInstance) => Kubelet;
  /** From the instance running to its kubelet registering the Node. */
  readonly joinSeconds?: number;
  /** How the nodes differ from the ordinary ones; undefined: this instance never joins. */
  readonly configure?: (instance: SimulatedInstance) => Partial<KubeletOptions> | undefined;
}

/**
 * The kubelets of the instances that are launched with the cluster's tag: they come with `running` and go with
 * the instance. A new root volume is a new kubelet under the same name, and the Node stays.
 */
export function runKubelets(options: KubeletsOptions): ReadonlyMap<string, Kubelet> {
  const { ec2, clock, clusterName, startKubelet, configure = ordinary, joinSeconds = 5 } = options;
  const kubelets = new Map<string, Kubelet>();
  const isMember = ({ tags }: SimulatedInstance): boolean => tags.has(`kubernetes.io/cluster/${clusterName}`);

  const join = (instance: SimulatedInstance): void => {
    const settings = configure(instance);
    if (instance.state !== 'running' || settings === undefined) return;
    const options = kubeletOf(instance);
    const labels = { ...options.labels, ...settings.labels };
    kubelets.set(instance.instanceId, startKubelet({ ...options, ...settings, labels }, instance));
  };
  ec2.onInstanceStateChange((instance) => {
    if (!isMember(instance)) return;
    if (instance.state === 'running') clock.after(joinSeconds * 1000, () => join(instance));
    if (instance.state === 'shutting-down' || instance.state === 'stopping')
      kubelets.get(instance.instanceId)?.stop();
    if (instance.state === 'terminated') kubelets.delete(instance.instanceId);
  });
  ec2.onRootVolumeReplaced((instance, bootSeconds) => {
    if (!isMember(instance)) return;
    kubelets.get(instance.instanceId)?.stop();
    clock.after((bootSeconds + joinSeconds) * 1000, () => join(instance));
  });
  return kubelets;
}

const ordinary = (): Partial<KubeletOptions> => ({});

function kubeletOf(instance: SimulatedInstance): KubeletOptions {
  const zone = instance.subnet.availabilityZone;
  return {
    ...nodeCapacity(instance.instanceType),
    nodeName: instance.privateDnsName,
    providerID: `aws:///${zone}/${instance.instanceId}`,
    internalIP: instance.privateIpAddress,
    internalDNS: instance.privateDnsName,
    bootID: instance.volumeId,
    labels: {
      'node.kubernetes.io/instance-type': instance.instanceType,
      'topology.kubernetes.io/zone': zone,
      'topology.kubernetes.io/region': zone.slice(0, -1),
    },
  };
}
