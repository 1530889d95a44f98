import { readFileSync } from 'node:fs';
import type { DroverWorld } from '../../../local/world/drover-world.ts';
import { domain } from '../../../local/world/etcd/etcd-world.ts';

/** The commands of a text, in which a backslash continues a line, without what is behind a `#`. */
export const commandsIn = (text: string): readonly string[] =>
  text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/(^|\s+)#.*$/, '').trim())
    .filter((line) => line !== '');

/**
 * Does to the etcd on an instance what the commands that `drover etcd restore` prints for it do, given the directory of its unit.
 *
 * @throws Error for any other command, also one for another directory.
 */
export function runAsRoot(
  world: DroverWorld,
  { instanceId, dataDirectory }: { readonly instanceId: string; readonly dataDirectory: string },
  commands: readonly string[],
): void {
  const { world: etcd } = world.etcd;
  let restored: Restored | undefined;
  let isInPlace = false;
  for (const command of commands) {
    if (command === 'systemctl stop etcd') etcd.kill(instanceId);
    else if (command.startsWith(`[ ! -e ${dataDirectory}/member ] || mv ${dataDirectory}/member `))
      etcd.wipe(instanceId);
    else if (command.startsWith('etcdutl snapshot restore ')) restored = restoredBy(command);
    else if (restored && command.startsWith(`mv ${restored.directory}/member ${dataDirectory}/member `))
      isInPlace = true;
    else if (command === `chown -R etcd: ${dataDirectory}/member`) continue;
    else if (command === 'systemctl start etcd') {
      if (isInPlace && restored) boot(world, instanceId, restored);
      else etcd.start(instanceId);
    } else throw new Error(`nothing is known of this command on ${instanceId}: ${command}`);
  }
}

interface Restored {
  readonly snapshot: Uint8Array;
  readonly name: string;
  readonly peerUrl: string;
  readonly token: string;
  readonly directory: string;
}

function restoredBy(command: string): Restored {
  const flag = (name: string): string => {
    const value = new RegExp(`--${name} (\\S+)`).exec(command)?.[1];
    if (value === undefined) throw new Error(`etcdutl needs --${name}: ${command}`);
    return value;
  };
  const name = flag('name');
  const peerUrl = flag('initial-advertise-peer-urls');
  if (flag('initial-cluster') !== `${name}=${peerUrl}`) throw new Error(`not one member: ${command}`);
  const file = /^etcdutl snapshot restore (\S+)/.exec(command)?.[1] ?? '';
  const directory = flag('data-dir');
  return { snapshot: readFileSync(file), name, peerUrl, token: flag('initial-cluster-token'), directory };
}

function boot(
  { account, etcd }: DroverWorld,
  instanceId: string,
  { name, peerUrl, token, snapshot }: Restored,
): void {
  const instance = account.ec2.operations
    .DescribeInstances({ InstanceIds: [instanceId] })
    .Reservations?.flatMap(({ Instances = [] }) => Instances)[0];
  const flags = {
    name,
    peerUrl,
    clientUrl: `https://${instanceId}.${domain}:2379`,
    initialClusterState: 'existing' as const,
    initialClusterToken: token,
  };
  const address = instance?.PrivateIpAddress ?? '';
  etcd.world.restore(
    instanceId,
    { address, dataDirectory: instanceId, flags: () => flags, restartSeconds: 5 },
    snapshot,
  );
}
