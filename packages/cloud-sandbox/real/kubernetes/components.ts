import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { isAway, sendHttps } from '../https.ts';
import { type RunningProcess, startProcess } from '../process.ts';
import { kubernetes, program } from '../programs.ts';
import type { ClusterAccess } from './cluster-access.ts';
import { controllerManagerOptions, schedulerOptions } from './command-lines.ts';
import type { ClusterFiles } from './files.ts';

/** The last two serve bootstrap tokens and are off by default. */
export const everyController: readonly string[] = ['*', 'bootstrapsigner', 'tokencleaner'];

/** Starts a program of Kubernetes, with its log in the directory of the cluster. */
export const startComponent = (
  { directory }: Pick<ClusterFiles, 'directory'>,
  name: string,
  flags: readonly string[],
): RunningProcess =>
  startProcess({
    name,
    command: program(kubernetes, name),
    options: flags,
    logFile: join(directory, `${name}.log`),
  });

/** `controllers`: their names in `--controllers`. It waits for an API server that is away, but not at its start. */
export async function startControllerManager(
  access: ClusterAccess,
  controllers = everyController,
  flags: readonly string[] = [],
): Promise<RunningProcess> {
  const options = controllerManagerOptions({
    files: access.files,
    controllers,
    port: await freePort(),
    kubeconfig: await kubeconfigOf(access, 'system:kube-controller-manager'),
  });
  return startComponent(access.files, 'kube-controller-manager', [...options, ...flags]);
}

export async function startScheduler(access: ClusterAccess): Promise<RunningProcess> {
  const kubeconfig = await kubeconfigOf(access, 'system:kube-scheduler');
  return startComponent(
    access.files,
    'kube-scheduler',
    schedulerOptions({ port: await freePort(), kubeconfig }),
  );
}

const kubeconfigOf = ({ files, url: server }: ClusterAccess, username: string): Promise<string> =>
  files.kubeconfig({ username, server });

/** Whether an API server has ended every post-start hook. */
export async function isReady(url: string, { authority }: Pick<ClusterFiles, 'authority'>): Promise<boolean> {
  try {
    const { status } = await sendHttps({
      method: 'GET',
      url: `${url}/readyz`,
      headers: {},
      timeoutMilliseconds: 5000,
      // The certificate has this name, and not every address.
      tls: { certificateAuthority: authority.certificate, serverName: 'kubernetes' },
    });
    return status === 200;
  } catch (error) {
    if (isAway(error)) return false;
    throw error;
  }
}
