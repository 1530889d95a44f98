import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EtcdCredentials } from '../../src/etcd/gateway-request.ts';
import type { Kubelet } from '../../src/kubernetes/kubelet/kubelet.ts';
import type { KubeletOptions } from '../../src/kubernetes/kubelet/node-object.ts';
import type { HttpRequest } from '../../src/net/http.ts';
import { isAway, sendHttps } from '../https.ts';
import type { RunningProcess } from '../process.ts';
import { adminOf } from './admin.ts';
import type { ClusterAccess } from './cluster-access.ts';
import { apiServerOptions } from './command-lines.ts';
import { isReady, startComponent } from './components.ts';
import { registerForKwok } from './nodes/real-nodes.ts';

export interface StackedOptions {
  /** The cluster, behind its load balancer. */
  readonly access: ClusterAccess;
  readonly etcdCredentials: EtcdCredentials;
  /** The loopback address that stands for the private one of an instance, on which its etcd listens. */
  readonly addressOf: (privateIpAddress: string) => string;
  /** The time of the account, in epoch milliseconds: Nodes become Ready after their instances are launched. */
  readonly now: () => number;
  readonly onProblem: (problem: unknown) => void;
}

/** API servers on the instances of a simulated account, each of which asks only the etcd beside it. */
export interface Stacked {
  /**
   * What user data does on an instance with etcd beside its API server: it waits until the member votes, starts the API server, and registers
   * the Node with it. kwok plays the kubelet.
   */
  readonly boot: (node: KubeletOptions, privateIpAddress: string) => Kubelet;
  /** The instances whose API server runs, by their private addresses. */
  readonly running: () => readonly string[];
  /** As `crictl stop` does with a static pod: the kubelet starts it again. */
  readonly restart: (privateIpAddress: string) => Promise<void>;
  close(): Promise<void>;
}

export const apiServerPort = 6443;
const retryMilliseconds = 250;

export function createStacked(options: StackedOptions): Stacked {
  const machines = new Map<string, ApiServerMachine>();
  return {
    boot: (node, privateIpAddress) => {
      const machine = startMachine(options, node, privateIpAddress);
      machines.set(privateIpAddress, machine);
      let alive = true;
      const stop = (): void => {
        if (!alive) return;
        alive = false;
        machines.delete(privateIpAddress);
        machine.kill().catch(options.onProblem);
      };
      return {
        nodeName: node.nodeName,
        get alive() {
          return alive;
        },
        stop,
        // Nothing hangs here: what is paused would be the whole instance.
        pause: () => undefined,
        resume: () => undefined,
      };
    },
    running: () => [...machines].filter(([, { isRunning }]) => isRunning()).map(([address]) => address),
    restart: async (privateIpAddress) => machines.get(privateIpAddress)?.restart(),
    close: async () => {
      await Promise.all([...machines.values()].map((one) => one.kill()));
    },
  };
}

interface ApiServerMachine {
  readonly isRunning: () => boolean;
  readonly restart: () => Promise<void>;
  readonly kill: () => Promise<void>;
}

function startMachine(
  options: StackedOptions,
  node: KubeletOptions,
  privateIpAddress: string,
): ApiServerMachine {
  const { access, addressOf, onProblem } = options;
  const address = addressOf(privateIpAddress);
  const url = `https://${address}:${apiServerPort}`;
  const directory = join(access.files.directory, privateIpAddress);
  const files = { ...access.files, directory, auditLog: join(directory, 'audit.log') };
  const ending = new AbortController();
  let running: RunningProcess | undefined;
  const until = async (holds: () => Promise<boolean>): Promise<void> => {
    while (!ending.signal.aborted && !(await holds())) await sleep(retryMilliseconds);
  };
  /** As the kubelet does with a static pod: it is started again when it ends by itself. */
  const keepRunning = async (flags: readonly string[]): Promise<void> => {
    while (!ending.signal.aborted) {
      running = startComponent(files, 'kube-apiserver', flags);
      await running.exited;
      await sleep(retryMilliseconds);
    }
  };
  const boot = async (): Promise<void> => {
    mkdirSync(directory, { recursive: true });
    const etcd = writeEtcdFlags(options, directory, address);
    await until(() => votes(options, address));
    if (ending.signal.aborted) return;
    keepRunning(
      apiServerOptions({ files, port: apiServerPort, etcd, address, advertised: privateIpAddress }),
    ).catch(onProblem);
    await until(() => isReady(url, files));
    if (ending.signal.aborted) return;
    const { sendHttp, ...own } = adminOf({ ...access, url });
    // The certificate has this name, and not every address.
    const tls = { serverName: 'kubernetes' };
    const server = { ...own, sendHttp: (request: HttpRequest) => sendHttp({ ...request, tls }) };
    await registerForKwok(server, node, options.now());
  };
  boot().catch(onProblem);
  return {
    isRunning: () => running?.hasExited() === false,
    restart: async () => running?.kill(),
    kill: async () => {
      ending.abort();
      await running?.kill();
    },
  };
}

function writeEtcdFlags(
  { etcdCredentials }: StackedOptions,
  directory: string,
  address: string,
): readonly string[] {
  const write = (name: string, content: string): string => {
    const path = join(directory, name);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  };
  return [
    `--etcd-servers=https://${address}:2379`,
    `--etcd-cafile=${write('etcd-ca.crt', etcdCredentials.certificateAuthority)}`,
    `--etcd-certfile=${write('etcd-client.crt', etcdCredentials.clientCertificate)}`,
    `--etcd-keyfile=${write('etcd-client.key', etcdCredentials.clientKey)}`,
  ];
}

/** A learner refuses reads, and a member without a quorum does not answer them. */
async function votes({ etcdCredentials: tls }: StackedOptions, address: string): Promise<boolean> {
  try {
    const { status } = await sendHttps({
      method: 'POST',
      url: `https://${address}:2379/v3/kv/range`,
      headers: {},
      body: JSON.stringify({ key: 'AA==' }),
      timeoutMilliseconds: 5000,
      tls,
    });
    return status === 200;
  } catch (error) {
    if (isAway(error)) return false;
    throw error;
  }
}
