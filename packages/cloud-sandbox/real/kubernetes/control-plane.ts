import { join } from 'node:path';
import { chosenEtcd } from '../etcd/binaries.ts';
import { freePort } from '../free-port.ts';
import { type RunningProcess, startProcess, untilReady } from '../process.ts';
import { type ClusterAccess, createClusterAccess } from './cluster-access.ts';
import { apiServerOptions } from './command-lines.ts';
import {
  everyController,
  isReady,
  startComponent,
  startControllerManager,
  startScheduler,
} from './components.ts';

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
export interface ControlPlane extends ClusterAccess {
  readonly port: number;
  /** The URL of its etcd, which does not authenticate clients: `http://127.0.0.1:40002`. */
  readonly etcdUrl: string;
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

/** Resolves once the control plane is ready: every post-start hook has ended. Rejects with the last log lines of a component that did not start. */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { directory, withScheduler = true, controllers = everyController } = options;
  const { apiServerFlags = [], controllerManagerFlags = [] } = options;
  const [port, etcdPort, peerPort] = [await freePort(), await freePort(), await freePort()];
  const url = `https://127.0.0.1:${port}`;
  const access = await createClusterAccess(directory, url);
  const { files } = access;
  const etcd = startProcess({
    name: 'etcd',
    command: join(chosenEtcd.directory, 'etcd'),
    options: etcdOptions({ directory, etcdPort, peerPort }),
    logFile: join(directory, 'etcd.log'),
  });
  const startApiServer = async (): Promise<RunningProcess> => {
    const flags = apiServerOptions({ files, port, etcd: [`--etcd-servers=http://127.0.0.1:${etcdPort}`] });
    const process = startComponent(files, 'kube-apiserver', [...flags, ...apiServerFlags]);
    await untilReady({ name: 'kube-apiserver', process }, () => isReady(url, files));
    return process;
  };
  let apiServer = await startApiServer();
  const managers = [
    ...(controllers.length > 0
      ? [await startControllerManager(access, controllers, controllerManagerFlags)]
      : []),
    ...(withScheduler ? [await startScheduler(access)] : []),
  ];
  const stopControllers = async (): Promise<void> => {
    await Promise.all(managers.map((one) => one.kill()));
  };
  return {
    ...access,
    port,
    etcdUrl: `http://127.0.0.1:${etcdPort}`,
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
