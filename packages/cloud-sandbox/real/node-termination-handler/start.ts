import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { startProcess } from '../process.ts';
import { nodeTerminationHandler, program } from '../programs.ts';

export interface TerminationHandlerOptions {
  readonly aws: {
    readonly endpoint: string;
    readonly region: string;
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
  };
  readonly queueUrl: string;
  readonly kubernetes: {
    /** `https://127.0.0.1:6443`. */
    readonly server: string;
    readonly token: string;
    /** PEM. */
    readonly certificateAuthority: string;
  };
  /** How many nodes it drains at a time. Defaults to 10, as in NTH. */
  readonly workers?: number;
  /** More of its settings, as environment variables. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface RunningTerminationHandler {
  /** The last lines that it wrote. */
  lastWords(): string;
  readonly hasExited: () => boolean;
  stop(): Promise<void>;
}

/**
 * AWS Node Termination Handler in queue mode. It reads the files of its service account at the path that they have in a pod. So the
 * shell writes them there in a private mount namespace and then becomes the handler. Needs root.
 */
export async function startTerminationHandler(
  options: TerminationHandlerOptions,
): Promise<RunningTerminationHandler> {
  const directory = mkdtempSync(join(tmpdir(), 'nth-'));
  writeFileSync(join(directory, 'token'), options.kubernetes.token, { mode: 0o600 });
  writeFileSync(join(directory, 'ca.crt'), options.kubernetes.certificateAuthority);
  const handler = program(nodeTerminationHandler, 'node-termination-handler');
  const running = startProcess({
    name: 'node-termination-handler',
    command: 'unshare',
    options: ['--mount', 'sh', '-c', mountAndBecome, directory, handler],
    logFile: join(directory, 'log'),
    environment: await environmentOf(options),
  });
  return {
    lastWords: () => running.lastWords(),
    hasExited: running.hasExited,
    stop: async () => {
      await running.kill();
      rmSync(directory, { recursive: true });
    },
  };
}

const serviceAccount = '/run/secrets/kubernetes.io/serviceaccount';
const mountAndBecome = [
  'mount -t tmpfs tmpfs /run',
  `mkdir -p ${serviceAccount}`,
  `cp "$0/token" "$0/ca.crt" ${serviceAccount}`,
  'exec "$1"',
].join(' && ');

async function environmentOf({
  aws,
  queueUrl,
  kubernetes,
  workers = 10,
  environment = {},
}: TerminationHandlerOptions): Promise<Readonly<Record<string, string>>> {
  const { hostname, port } = new URL(kubernetes.server);
  return {
    AWS_ENDPOINT: aws.endpoint,
    AWS_REGION: aws.region,
    AWS_ACCESS_KEY_ID: aws.accessKeyId,
    AWS_SECRET_ACCESS_KEY: aws.secretAccessKey,
    QUEUE_URL: queueUrl,
    ENABLE_SQS_TERMINATION_DRAINING: 'true',
    CHECK_ASG_TAG_BEFORE_DRAINING: 'false',
    CHECK_TAG_BEFORE_DRAINING: 'false',
    WORKERS: String(workers),
    NODE_NAME: 'node-of-the-handler',
    POD_NAME: 'node-termination-handler',
    NAMESPACE: 'kube-system',
    KUBERNETES_SERVICE_HOST: hostname,
    KUBERNETES_SERVICE_PORT: port,
    PROBES_SERVER_PORT: String(await freePort()),
    ...environment,
  };
}
