import { execFileSync } from 'node:child_process';
import { missingTool } from '../machine.ts';

const wanted = `set -e
mount -t tmpfs none /mnt && mkdir /mnt/a /mnt/b
mount -t overlay overlay -o lowerdir=/etc,upperdir=/mnt/a,workdir=/mnt/b /etc
ip link set lo up && ip address add 169.254.169.254/32 dev lo`;

/** Undefined, or why this machine makes no instance of namespaces. */
export const missingNamespaces: string | undefined = missingTool ?? refusal();

function refusal(): string | undefined {
  try {
    execFileSync('unshare', ['--mount', '--net', 'bash', '-c', wanted], { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return `mount and network namespaces need Linux, root, unshare, nsenter, ip and overlays: ${error instanceof Error ? error.message : String(error)}`;
  }
}
