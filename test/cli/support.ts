import { createCluster, startNodes } from '@drover/cloud-sandbox/test/kubernetes/support.ts';
import type { Machine } from '../../cli/context.ts';
import { runCli } from '../../cli/program.ts';
import type { HttpRequest } from '../../shared/net/http.ts';

export interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface CliWorldOptions {
  readonly nodes?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  /** Called before each request to the API server, which it may refuse by throwing. */
  readonly beforeRequest?: (request: HttpRequest) => void;
  readonly context?: Partial<Machine>;
}

/** The whole CLI in process, against a simulated cluster on virtual time: a pause of the command moves the clock. */
export function createCliWorld(options: CliWorldOptions = {}) {
  const cluster = createCluster();
  const { kubernetes, clock, seconds, call } = cluster;
  startNodes(kubernetes, options.nodes ?? ['node-1', 'node-2']);
  seconds(5);
  const kubeconfig = kubeconfigFor(kubernetes.adminToken);
  const files: Readonly<Record<string, string>> = { '/home/me/.kube/config': kubeconfig, ...options.files };
  const run = (...args: readonly string[]): Promise<Run> => runWith({}, ...args);
  const runWith = async (extra: Pick<CliWorldOptions, 'files'>, ...args: readonly string[]): Promise<Run> => {
    const written = { out: '', err: '' };
    const context: Machine = {
      environment: options.environment ?? {},
      homeDirectory: '/home/me',
      clock,
      pause: (milliseconds) => Promise.resolve(seconds(milliseconds / 1000)),
      stdout: { write: (text) => void (written.out += text), isTerminal: false },
      stderr: { write: (text) => void (written.err += text), isTerminal: false },
      readFile: (path) => readFrom({ ...files, ...extra.files }, path),
      runProgram: () => Promise.reject(new Error('no programs here')),
      sendHttp: async (request) => {
        options.beforeRequest?.(request);
        return await kubernetes.sendHttp(request);
      },
      ...options.context,
    };
    const code = await runCli(args, context);
    return { code, ...written };
  };
  const create = async (path: string, body: unknown): Promise<void> => {
    const response = await call('POST', path, body);
    if (response.status >= 300) throw new Error(`${path}: ${response.status} ${response.body}`);
    seconds(5);
  };
  const podsOn = async (nodeName: string): Promise<string[]> => {
    const response = await call('GET', `/api/v1/pods?fieldSelector=spec.nodeName%3D${nodeName}`);
    const { items } = JSON.parse(response.body) as { items: { metadata: { name: string } }[] };
    return items.map(({ metadata }) => metadata.name);
  };
  return { ...cluster, run, runWith, create, podsOn, kubeconfig };
}

const readFrom = async (files: Readonly<Record<string, string>>, path: string): Promise<string> => {
  const text = files[path];
  if (text !== undefined) return await Promise.resolve(text);
  throw Object.assign(new Error(`ENOENT: no such file, open '${path}'`), { code: 'ENOENT' });
};

/** A kubeconfig for the simulated API. */
export const kubeconfigFor = (token: string, server = 'https://api.test:6443'): string => `
apiVersion: v1
kind: Config
current-context: sandbox
clusters: [{ name: sandbox, cluster: { server: "${server}" } }]
users: [{ name: admin, user: { token: ${token} } }]
contexts: [{ name: sandbox, context: { cluster: sandbox, user: admin } }]
`;
