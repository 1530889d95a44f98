import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { chosenEtcd } from '../etcd/binaries.ts';
import { freePort } from '../free-port.ts';
import { isAway, sendHttps } from '../https.ts';
import { type RunningProcess, startProcess, untilReady } from '../process.ts';
import { kubernetes, program } from '../programs.ts';
import { apiServerOptions, controllerManagerOptions, schedulerOptions } from './command-lines.ts';
import { type ClusterFiles, writeClusterFiles } from './files.ts';

export interface ControlPlaneOptions {
  /** For certificates, logs and the data of etcd. Empty or missing at the start; used by nothing else. */
  readonly directory: string;
  /** Defaults to true. Without a scheduler, the creator of a pod must bind it. */
  readonly withScheduler?: boolean;
  /** The controllers that run, by their names in `--controllers`; if empty, there is no controller manager. Defaults to all. */
  readonly controllers?: readonly string[];
  /** More flags for the API server. */
  readonly apiServerFlags?: readonly string[];
  /** More flags for the controller manager. */
  readonly controllerManagerFlags?: readonly string[];
}

/** A real Kubernetes control plane on loopback: etcd, kube-apiserver with RBAC, controller manager, scheduler. */
export interface ControlPlane {
  /** `https://127.0.0.1:40001`. */
  readonly url: string;
  readonly port: number;
  /** The URL of its etcd, which does not authenticate clients: `http://127.0.0.1:40002`. */
  readonly etcdUrl: string;
  readonly files: ClusterFiles;
  /** The token of a user in system:masters. */
  readonly adminToken: string;
  /** The token in Drover's kubeconfig: of a user in the group that deploy/rbac.yaml gives its rights to. */
  readonly droverToken: string;
  /** A kubeconfig of a user in system:masters, for kubectl. */
  readonly kubeconfig: string;
  /** Stops and starts only the API server, as in an outage or an upgrade of it. The other components wait for it. */
  readonly apiServer: {
    stop(): Promise<void>;
    kill(): Promise<void>;
    start(): Promise<void>;
    /** Until `resume`, connections are accepted and never answered. */
    pause(): void;
    resume(): void;
  };
  /** Stops the controller manager and the scheduler for good. What they have written stays. */
  stopControllers(): Promise<void>;
  readonly processIds: () => readonly number[];
  stop(): Promise<void>;
}

/** The last two serve bootstrap tokens and are off by default. */
const allControllers = ['*', 'bootstrapsigner', 'tokencleaner'];

/** Resolves once the control plane is ready: every post-start hook has ended. Rejects with the last log lines of a component that did not start. */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { directory, withScheduler = true, controllers = allControllers } = options;
  const { apiServerFlags = [], controllerManagerFlags = [] } = options;
  const [port, etcdPort, peerPort] = [await freePort(), await freePort(), await freePort()];
  const url = `https://127.0.0.1:${port}`;
  const [adminToken, droverToken] = [newToken(), newToken()];
  const files = await writeClusterFiles(directory, [
    { token: adminToken, username: 'admin', groups: ['system:masters'] },
    { token: droverToken, username: 'drover', groups: ['drover'] },
  ]);
  const run = (name: string, command: string, flags: readonly string[]): RunningProcess =>
    startProcess({ name, command, options: flags, logFile: join(directory, `${name}.log`) });
  const component = (name: string, flags: readonly string[]): RunningProcess =>
    run(name, program(kubernetes, name), flags);

  const etcd = run(
    'etcd',
    join(chosenEtcd.directory, 'etcd'),
    etcdOptions({ directory, etcdPort, peerPort }),
  );
  const startApiServer = async (): Promise<RunningProcess> => {
    const flags = apiServerOptions({ files, port, etcdPort });
    const process = component('kube-apiserver', [...flags, ...apiServerFlags]);
    await untilReady({ name: 'kube-apiserver', process }, () => isReady(url, files));
    return process;
  };
  let apiServer = await startApiServer();
  const kubeconfigOf = (username: string): Promise<string> => files.kubeconfig({ username, server: url });
  const managers = [
    ...(controllers.length > 0
      ? [
          component('kube-controller-manager', [
            ...controllerManagerOptions({
              files,
              controllers,
              port: await freePort(),
              kubeconfig: await kubeconfigOf('system:kube-controller-manager'),
            }),
            ...controllerManagerFlags,
          ]),
        ]
      : []),
    ...(withScheduler
      ? [
          component(
            'kube-scheduler',
            schedulerOptions({
              port: await freePort(),
              kubeconfig: await kubeconfigOf('system:kube-scheduler'),
            }),
          ),
        ]
      : []),
  ];
  const stopControllers = async (): Promise<void> => {
    await Promise.all(managers.map((one) => one.kill()));
  };
  return {
    url,
    port,
    etcdUrl: `http://127.0.0.1:${etcdPort}`,
    files,
    adminToken,
    droverToken,
    kubeconfig: await files.kubeconfig({ username: 'you', groups: ['system:masters'], server: url }),
    apiServer: {
      stop: () => apiServer.stop(),
      kill: () => apiServer.kill(),
      start: async () => {
        apiServer = await startApiServer();
      },
      pause: () => void process.kill(apiServer.pid, 'SIGSTOP'),
      resume: () => void process.kill(apiServer.pid, 'SIGCONT'),
    },
    stopControllers,
    processIds: () => [etcd, apiServer, ...managers].map(({ pid }) => pid),
    // In this order no component waits for one that has stopped. They are killed: their data is thrown away.
    stop: async () => {
      await stopControllers();
      await apiServer.kill();
      await etcd.kill();
    },
  };
}

const newToken = (): string => randomBytes(16).toString('hex');

function etcdOptions({
  directory,
  etcdPort,
  peerPort,
}: {
  readonly directory: string;
  readonly etcdPort: number;
  readonly peerPort: number;
}): readonly string[] {
  const [client, peer] = [`http://127.0.0.1:${etcdPort}`, `http://127.0.0.1:${peerPort}`];
  return [
    `--data-dir=${join(directory, 'etcd')}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    '--log-level=warn',
    // The data does not have to survive a crash of the machine.
    '--unsafe-no-fsync',
  ];
}

async function isReady(url: string, { authority }: ClusterFiles): Promise<boolean> {
  try {
    const { status } = await sendHttps({
      method: 'GET',
      url: `${url}/readyz`,
      headers: {},
      timeoutMilliseconds: 5000,
      tls: { certificateAuthority: authority.certificate },
    });
    return status === 200;
  } catch (error) {
    if (isAway(error)) return false;
    throw error;
  }
}
