import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cloud, KubeletsOptions } from '@drover/cloud-sandbox';
import type { SimulatedInstance } from '@drover/cloud-sandbox/aws';
import { chosenEtcd } from '@drover/cloud-sandbox/real/etcd/binaries.ts';
import {
  openRealEtcdMachines,
  type RealEtcdMachines,
} from '@drover/cloud-sandbox/real/etcd/etcd-machines.ts';
import { adminOf, type ClusterAdmin } from '@drover/cloud-sandbox/real/kubernetes/admin.ts';
import { type ControlPlane, startControlPlane } from '@drover/cloud-sandbox/real/kubernetes/control-plane.ts';
import { startKwok } from '@drover/cloud-sandbox/real/kubernetes/nodes/kwok.ts';
import { createRealNodes, type RealNodes } from '@drover/cloud-sandbox/real/kubernetes/nodes/real-nodes.ts';
import { ensurePackaged } from '../../scripts/build/ensure-packaged.ts';
import { furnishEtcd } from '../wire/furnish-etcd.ts';
import { type Account, type AccountOptions, openAccount } from './account.ts';
import { furnishCluster, publishKubeconfigs } from './furnish-cluster.ts';
import { createUserData } from './user-data.ts';

export interface RealWorldOptions extends AccountOptions {
  /** What simulates the nodes: real kubelets, or kwok for hundreds of nodes. */
  readonly nodes: 'kubelet' | 'kwok';
  /** Default true. */
  readonly withScheduler?: boolean;
  /** How the node of an instance differs from the ordinary ones; undefined: it never joins. */
  readonly configureNode?: KubeletsOptions['configure'];
  /** Real etcd on the instances of groups with the role etcd, managed by Drover. Needs root. */
  readonly withEtcd?: boolean;
  /**
   * What approves the client certificates of kubelets: kube-controller-manager by itself (default), or only Drover. With
   * Drover their Nodes have the addresses of their instances, and kubelets get serving certificates.
   */
  readonly approver?: 'controller-manager' | 'drover';
  /** How long a signed certificate is valid, as a flag of kube-controller-manager: `2m`. Default: a year. */
  readonly signingDuration?: string;
  /** Manifests instead of deploy/rbac.yaml, as YAML. */
  readonly rbac?: string;
}

/** A simulated AWS account, with everything in it real: the cluster, its nodes, and the packaged functions, each in a thread. */
export interface RealWorld extends Pick<Account, 'cloud' | 'clock' | 'aws' | 'scaleApi'> {
  readonly controlPlane: ControlPlane;
  readonly admin: ClusterAdmin;
  /** Where the members of etcd listen, and with what a client reads them; undefined without `withEtcd`. */
  readonly etcd?: Pick<RealEtcdMachines, 'addressOf' | 'credentials'>;
  /** Gives the real kubelet of a node the manifest of a pod, as a file on its machine. */
  readonly runStaticPod: RealNodes['runStaticPod'];
  close(): Promise<void>;
}

/** @throws Error with the last words of a component that does not come up */
export async function createRealWorld(options: RealWorldOptions): Promise<RealWorld> {
  const { nodes: kind, onProblem } = options;
  await ensurePackaged({ bundles: 'fresh' });
  const directory = mkdtempSync(join(tmpdir(), 'world-'));
  const controlPlane = await startControlPlane({
    directory,
    ...(options.withScheduler !== undefined && { withScheduler: options.withScheduler }),
    ...(options.signingDuration && {
      controllerManagerFlags: [`--cluster-signing-duration=${options.signingDuration}`],
    }),
  });
  const admin = adminOf(controlPlane);
  const player =
    kind === 'kwok' ? await startKwok({ directory, kubeconfig: controlPlane.kubeconfig }) : undefined;
  let zones: Cloud['account']['route53']['controls']['served'] = () => [];
  const etcd = options.withEtcd
    ? await openRealEtcdMachines({ etcd: chosenEtcd, onProblem, zones: () => zones() })
    : undefined;
  const nodes = createRealNodes({
    controlPlane,
    admin,
    onProblem,
    hasCloudProvider: options.approver === 'drover',
    bootstrapKubeconfig: () => userData(),
  });
  const account = await openAccount(options, {
    sendToKubernetes: admin.sendHttp,
    kubelets: {
      joinSeconds: 0,
      startKubelet: kind === 'kwok' ? nodes.registerForKwok : nodes.startKubelet,
      configure: options.configureNode ?? ((instance) => (isMachineOfEtcd(instance) ? undefined : {})),
    },
    ...(etcd && { etcd: { bootSeconds: 1, machines: etcd.machines } }),
  });
  const { cloud, clock, aws, scaleApi, wiring } = account;
  zones = cloud.account.route53.controls.served;
  const userData = createUserData({ cloud, endpoint: aws.url });
  await furnishCluster(admin, options);
  publishKubeconfigs(cloud, { wiring, access: controlPlane });
  if (etcd) furnishEtcd(cloud, etcd.credentials);
  account.start();
  void cloud.lambda.invoke('bootstrap-credential', {});
  return {
    cloud,
    clock,
    controlPlane,
    admin,
    aws,
    scaleApi,
    ...(etcd && { etcd: { addressOf: etcd.addressOf, credentials: etcd.credentials } }),
    runStaticPod: nodes.runStaticPod,
    close: async () => {
      account.stop();
      await Promise.all([nodes.close(), player?.kill(), etcd?.close()]);
      await controlPlane.stop();
      await account.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Instances of etcd only have no kubelet. */
const isMachineOfEtcd = ({ tags }: SimulatedInstance): boolean => tags.get('drover.dev/role') === 'etcd';
