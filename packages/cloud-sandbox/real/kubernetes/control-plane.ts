import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { etcd36 } from '../etcd/binaries.ts';
import { freePort } from '../free-port.ts';
import { isAway, sendHttps } from '../https.ts';
import { type RunningProcess, startProcess, untilReady } from '../process.ts';
import { kubernetes, program } from '../programs.ts';
import { apiServerOptions, controllerManagerOptions, schedulerOptions } from './command-lines.ts';
import { type ClusterFiles, writeClusterFiles } from './files.ts';

export interface ControlPlaneOptions {
  /** Of its own, empty or not there: certificates, logs and the data of etcd. */
  readonly directory: string;
  /** Default true. Without it pods are bound by whoever creates them. */
  readonly withScheduler?: boolean;
  /** Those that run, as `--controllers` names them; none: there is no controller manager. Default: all. */
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
  /** Of its etcd, which asks nobody who they are: `http://127.0.0.1:40002`. */
  readonly etcdUrl: string;
  readonly files: ClusterFiles;
  /** Of a user in system:masters. */
  readonly adminToken: string;
  /** Of Drover, as its kubeconfig would carry it: a user in the group that deploy/rbac.yaml gives its rights to. */
  readonly droverToken: string;
  /** A kubeconfig of a user in system:masters, for kubectl. */
  readonly kubeconfig: string;
  /** The API server alone, as in an outage or an upgrade of it; the others wait for it. */
  readonly apiServer: {
    stop(): Promise<void>;
    kill(): Promise<void>;
    start(): Promise<void>;
    /** Connections are accepted and nothing answers, until `resume`. */
    pause(): void;
    resume(): void;
  };
  /** The controller manager and the scheduler, for good: what they have written stays. */
  stopControllers(): Promise<void>;
  readonly processIds: () => readonly number[];
  stop(): Promise<void>;
}

/** The last two are off by default, and serve bootstrap tokens. */
const allControllers = ['*', 'bootstrapsigner', 'tokencleaner'];

/** Ready when this resolves: every post-start hook has ended. Rejects with the last words of what did not come up. */
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

  const etcd = run('etcd', join(etcd36.directory, 'etcd'), etcdOptions({ directory, etcdPort, peerPort }));
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
    // In this order nobody waits for somebody who has gone. What they hold is thrown away: nothing needs to be put in order.
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
    // A world of an hour needs no promise that outlives the machine.
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
