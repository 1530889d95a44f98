import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Cloud } from '@drover/cloud-sandbox';
import { formatEnvironmentFile, type TerminalEnvironment } from '../../cli/env/environment-file.ts';
import { clockVariable, formatSimulatedTime, type SimulatedTime } from '../../cli/simulated-time.ts';

/** Where a sandbox is, and the keys of the person who uses it. */
export interface Place {
  readonly cloud: Cloud;
  readonly awsUrl: string;
  readonly scaleApiUrl: string;
  readonly kubeconfig: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** False: no socket of this machine leads to the members of etcd, so that commands read only DNS. */
  readonly reachesEtcd: boolean;
  /** Undefined if the time of the sandbox is that of the machine. */
  readonly clock?: { time(): SimulatedTime };
}

/** Names that commands share with a function of the deployment. */
const shared = {
  'bootstrap-credential': ['DROVER_CLUSTER', 'DROVER_KUBECONFIG_PARAMETER', 'DROVER_BOOTSTRAP_PARAMETER'],
  'etcd-membership': ['DROVER_ETCD_DOMAIN', 'DROVER_ETCD_ZONE_ID', 'DROVER_ETCD_SNAPSHOTS'],
} as const;

/** The variables of the AWS CLI, kubectl and every command of `drover`: what `drover env` prints. */
export function terminalEnvironmentOf(place: Place): TerminalEnvironment {
  const { lambda } = place.cloud;
  const time = place.clock?.time();
  const settings = Object.entries(shared).flatMap(([functionName, names]) =>
    names.map((name) => [name, lambda.functionOf(functionName).environment[name] ?? ''] as const),
  );
  return {
    AWS_ENDPOINT_URL: place.awsUrl,
    AWS_REGION: place.region,
    AWS_DEFAULT_REGION: place.region,
    AWS_ACCESS_KEY_ID: place.accessKeyId,
    AWS_SECRET_ACCESS_KEY: place.secretAccessKey,
    AWS_SESSION_TOKEN: '',
    AWS_PAGER: '',
    KUBECONFIG: place.kubeconfig,
    DROVER_API_URL: place.scaleApiUrl,
    ...Object.fromEntries(settings.filter(([, value]) => value !== '')),
    ...(time !== undefined && time.speed !== 1 && { [clockVariable]: formatSimulatedTime(time) }),
    ...(!place.reachesEtcd && { DROVER_ETCD_MODE: 'dns-only' }),
  };
}

/** Puts the variables where `drover env` finds them, until `remove` is called. The last sandbox of a folder is found. */
export function announce(environment: TerminalEnvironment, path: string): { remove(): void } {
  const text = formatEnvironmentFile(environment);
  mkdirSync(dirname(path), { recursive: true });
  // Removed first: an existing file keeps its mode.
  rmSync(path, { force: true });
  writeFileSync(path, text, { mode: 0o600 });
  return {
    remove: () => {
      if (contentOf(path) === text) rmSync(path, { force: true });
    },
  };
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
