import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'yaml';
import type { Kubelet } from '../../../src/kubernetes/kubelet/kubelet.ts';
import type { KubeletOptions } from '../../../src/kubernetes/kubelet/node-object.ts';
import { freePort } from '../../free-port.ts';
import { type RunningProcess, startProcess, untilReady } from '../../process.ts';
import { kubernetes, program } from '../../programs.ts';

export interface RealKubeletOptions {
  /** What the instance's user data would know. Only the name, the providerID and the labels are used. */
  readonly node: KubeletOptions;
  /** Used only by this kubelet. The path must be short, because the path of a socket in it is limited. */
  readonly directory: string;
  /** Whether a cloud controller manager writes the addresses of its Node. */
  readonly hasCloudProvider: boolean;
  /** What Drover has published for new nodes. */
  readonly bootstrapKubeconfig: string;
  /** A path. */
  readonly clientCertificateAuthority: string;
}

/** A real kubelet on Kubernetes' own fake container runtime: it requests its certificate, joins, and runs pods without containers. */
export interface RealKubelet extends Kubelet {
  /** Writes the manifest of a static pod to its machine. */
  runStaticPod(manifest: object): void;
  /** Resolves once its processes and files are gone. */
  readonly ended: Promise<void>;
}

export async function startRealKubelet(options: RealKubeletOptions): Promise<RealKubelet> {
  const { node, directory } = options;
  mkdirSync(staticPodsOf(directory), { recursive: true });
  const socket = join(directory, 'cri.sock');
  // Volumes of pods are mounts: in the kubelet's own mount namespace they are removed with it.
  const run = (name: string, flags: readonly string[]): RunningProcess =>
    startProcess({
      name,
      command: 'unshare',
      options: ['--mount', program(kubernetes, name), ...flags],
      logFile: join(directory, `${name}.log`),
    });
  const startKubelet = async (): Promise<RunningProcess> => {
    const ports = { port: await freePort(), healthzPort: await freePort() };
    const configuration = stringify({ ...configurationOf(options, socket), ...ports });
    return run('kubelet', flagsOf(options, write(directory, 'kubelet.yaml', configuration)));
  };
  const runtime = run('container-runtime', [socket]);
  await untilReady({ name: 'container-runtime', process: runtime }, async () => existsSync(socket));
  const kubelet = await keepRunning(startKubelet);
  const signal = (name: NodeJS.Signals): void => {
    for (const { pid, hasExited } of [runtime, kubelet.now()]) if (!hasExited()) process.kill(pid, name);
  };
  let state: 'alive' | 'paused' | 'stopped' = 'alive';
  const ended = Promise.withResolvers<void>();
  return {
    nodeName: node.nodeName,
    get alive() {
      return state === 'alive';
    },
    ended: ended.promise,
    runStaticPod: (manifest) => {
      write(staticPodsOf(directory), 'pod.json', JSON.stringify(manifest));
    },
    stop: () => {
      if (state === 'stopped') return;
      state = 'stopped';
      void Promise.all([runtime.kill(), kubelet.kill()])
        .then(() => rmSync(directory, { recursive: true, force: true }))
        .then(ended.resolve, ended.reject);
    },
    pause: () => {
      if (state !== 'alive') return;
      state = 'paused';
      signal('SIGSTOP');
    },
    resume: () => {
      if (state !== 'paused') return;
      state = 'alive';
      signal('SIGCONT');
    },
  };
}

const restartMilliseconds = 500;

/** Restarts a program that exits by itself, as systemd does. For example, another process may have taken its port. */
async function keepRunning(start: () => Promise<RunningProcess>): Promise<{
  readonly now: () => RunningProcess;
  readonly kill: () => Promise<void>;
}> {
  const killed = new AbortController();
  let current = await start();
  const supervise = async (): Promise<void> => {
    while (!killed.signal.aborted) {
      await current.exited;
      await sleep(restartMilliseconds);
      if (!killed.signal.aborted) current = await start();
    }
    await current.kill();
  };
  const supervising = supervise();
  return {
    now: () => current,
    kill: async () => {
      killed.abort();
      await current.kill();
      await supervising;
    },
  };
}

const staticPodsOf = (directory: string): string => join(directory, 'manifests');

function write(directory: string, name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}

/** There are no cgroups and no container engine: whatever needs them is turned off. */
const configurationOf = ({ clientCertificateAuthority, directory }: RealKubeletOptions, socket: string) => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  address: '127.0.0.1',
  authentication: { x509: { clientCAFile: clientCertificateAuthority } },
  serverTLSBootstrap: true,
  rotateCertificates: true,
  staticPodPath: staticPodsOf(directory),
  containerRuntimeEndpoint: `unix://${socket}`,
  cgroupDriver: 'cgroupfs',
  cgroupsPerQOS: false,
  // From 1.35 on a kubelet refuses a machine with cgroup v1, although this one uses no cgroups.
  failCgroupV1: false,
  enforceNodeAllocatable: [],
  failSwapOn: false,
  localStorageCapacityIsolation: false,
  resolvConf: '',
  // Tests see within seconds that the Node of a stopped instance is not ready.
  nodeStatusUpdateFrequency: '5s',
});

function flagsOf(
  { node, directory, bootstrapKubeconfig, hasCloudProvider }: RealKubeletOptions,
  configuration: string,
): readonly string[] {
  const labels = Object.entries(node.labels ?? {})
    // A kubelet may not set its own role; a controller does.
    .filter(([key]) => !key.startsWith('node-role.kubernetes.io/'))
    .map(([key, value]) => `${key}=${value}`);
  return [
    `--config=${configuration}`,
    `--bootstrap-kubeconfig=${write(directory, 'bootstrap.kubeconfig', bootstrapKubeconfig)}`,
    `--kubeconfig=${join(directory, 'kubelet.kubeconfig')}`,
    `--cert-dir=${join(directory, 'pki')}`,
    `--root-dir=${join(directory, 'root')}`,
    `--hostname-override=${node.nodeName}`,
    ...(hasCloudProvider ? ['--cloud-provider=external'] : []),
    ...(node.providerID === undefined ? [] : [`--provider-id=${node.providerID}`]),
    ...(labels.length === 0 ? [] : [`--node-labels=${labels.join(',')}`]),
    '--v=1',
  ];
}
