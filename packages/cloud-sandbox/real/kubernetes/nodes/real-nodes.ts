import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kubelet } from '../../../src/kubernetes/kubelet/kubelet.ts';
import type { KubeletOptions } from '../../../src/kubernetes/kubelet/node-object.ts';
import type { ClusterAdmin } from '../admin.ts';
import type { ClusterAccess } from '../cluster-access.ts';
import { initializeNode } from './cloud-provider.ts';
import { kwokAnnotation, readyAtAnnotation } from './kwok.ts';
import { type RealKubelet, startRealKubelet } from './real-kubelet.ts';

export interface RealNodesOptions {
  readonly controlPlane: Pick<ClusterAccess, 'files'>;
  readonly admin: ClusterAdmin;
  /** Reads the kubeconfig that is published for new nodes, as user data does. Undefined while there is none. */
  readonly bootstrapKubeconfig: () => Promise<string | undefined>;
  /** Nodes get the addresses of their instances and take no pods before that. Defaults to false. */
  readonly hasCloudProvider?: boolean;
  readonly onProblem: (problem: unknown) => void;
}

/** Makes instances of the simulated EC2 nodes of the real cluster. */
export interface RealNodes {
  /** A real kubelet. It starts once there is a bootstrap credential. */
  readonly startKubelet: (options: KubeletOptions) => Kubelet;
  /** A Node that kwok simulates; hundreds of them are cheap. */
  readonly registerForKwok: (options: KubeletOptions) => Kubelet;
  /** Writes the manifest of a static pod to the machine of a real kubelet. */
  readonly runStaticPod: (nodeName: string, manifest: object) => void;
  /** Stops all kubelets. */
  close(): Promise<void>;
}

export function createRealNodes(options: RealNodesOptions): RealNodes {
  const { controlPlane, onProblem } = options;
  // A short name: the path of a socket in it may have at most 107 characters.
  const directory = mkdtempSync(join(tmpdir(), 'nodes-'));
  const kubelets = new Set<RealKubelet>();
  let number = 0;

  const credential = async (): Promise<string> => {
    for (;;) {
      const kubeconfig = await options.bootstrapKubeconfig();
      if (kubeconfig !== undefined) return kubeconfig;
      await sleep(100);
    }
  };
  const boot = async (node: KubeletOptions): Promise<RealKubelet> => {
    number += 1;
    const kubelet = await startRealKubelet({
      node,
      directory: join(directory, String(number)),
      bootstrapKubeconfig: await credential(),
      hasCloudProvider: options.hasCloudProvider === true,
      clientCertificateAuthority: controlPlane.files.certificateAuthority,
    });
    kubelets.add(kubelet);
    if (options.hasCloudProvider === true) initializeNode(options.admin, { node, kubelet }).catch(onProblem);
    void kubelet.ended.then(() => kubelets.delete(kubelet));
    return kubelet;
  };
  return {
    startKubelet: (node) => whileItBoots(node.nodeName, boot(node), onProblem),
    registerForKwok: (node) => {
      registerForKwok(options.admin, node).catch(onProblem);
      // kwok ignores what happens to the instance. Tests of an instance that dies suddenly need a real kubelet.
      return { nodeName: node.nodeName, alive: true, stop: () => {}, pause: () => {}, resume: () => {} };
    },
    runStaticPod: (nodeName, manifest) => {
      const kubelet = [...kubelets].find((one) => one.nodeName === nodeName);
      if (!kubelet) throw new RangeError(`no kubelet runs for ${nodeName}`);
      kubelet.runStaticPod(manifest);
    },
    close: async () => {
      const all = [...kubelets];
      for (const kubelet of all) kubelet.stop();
      await Promise.all(all.map(({ ended }) => ended));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** A kubelet that is still booting does what it is asked once it runs. */
function whileItBoots(
  nodeName: string,
  booting: Promise<RealKubelet>,
  onProblem: (problem: unknown) => void,
): Kubelet {
  let kubelet: RealKubelet | undefined;
  let stopped = false;
  const onceBooted = (what: 'stop' | 'pause' | 'resume') => (): void => {
    stopped ||= what === 'stop';
    booting.then((one) => one[what]()).catch(onProblem);
  };
  const watch = async (): Promise<void> => {
    kubelet = await booting;
  };
  watch().catch(onProblem);
  return {
    nodeName,
    get alive() {
      return !stopped && (kubelet?.alive ?? true);
    },
    stop: onceBooted('stop'),
    pause: onceBooted('pause'),
    resume: onceBooted('resume'),
  };
}

/** Kubelets set this annotation: the controller manager attaches their volumes. */
const attachedByController = { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' } as const;

/**
 * Creates a Node that kwok simulates.
 *
 * @param readyAt when it becomes Ready, in epoch milliseconds, where the time of its instance is not the machine's
 * @throws Error with the API server's answer if it refuses the Node
 */
export async function registerForKwok(
  { sendHttp, server, token }: ClusterAdmin,
  node: KubeletOptions,
  readyAt?: number,
): Promise<void> {
  const { status, body } = await sendHttp({
    method: 'POST',
    url: `${server}/api/v1/nodes`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    timeoutMilliseconds: 30_000,
    body: JSON.stringify({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name: node.nodeName,
        labels: { 'kubernetes.io/hostname': node.nodeName, ...node.labels },
        annotations: {
          ...kwokAnnotation,
          ...attachedByController,
          ...(readyAt !== undefined && { [readyAtAnnotation]: new Date(readyAt).toISOString() }),
          ...node.annotations,
        },
      },
      spec: { providerID: node.providerID },
    }),
  });
  if (status !== 201) throw new Error(`the Node ${node.nodeName} was not created: ${status} ${body}`);
}
