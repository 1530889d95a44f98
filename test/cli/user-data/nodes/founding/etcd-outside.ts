import { join } from 'node:path';
import { chosenEtcd } from '@drover/cloud-sandbox/real/etcd/binaries.ts';
import { freePort } from '@drover/cloud-sandbox/real/free-port.ts';
import { startProcess } from '@drover/cloud-sandbox/real/process.ts';
import { onTestFinished } from 'vitest';
import { openBridge } from '../namespace/bridge.ts';

/**
 * An etcd with the certificates of `drover pki`, which every instance of a test has as its own member. API servers use it as they would use
 * one of several members, which all read and write by quorum.
 *
 * @returns the path of a Unix socket that leads to it
 */
export async function openEtcdOutside(directory: string, pki: string): Promise<string> {
  const [port, peerPort] = [await freePort(), await freePort()];
  const [client, peer] = [`https://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const etcd = startProcess({
    name: 'etcd',
    command: join(chosenEtcd.directory, 'etcd'),
    options: [
      `--data-dir=${join(directory, 'etcd')}`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
      `--cert-file=${pki}/etcd/server.crt`,
      `--key-file=${pki}/etcd/server.key`,
      `--trusted-ca-file=${pki}/etcd/ca.crt`,
      '--client-cert-auth',
      '--log-level=warn',
      // The data does not have to survive a crash of the machine.
      '--unsafe-no-fsync',
    ],
    logFile: join(directory, 'etcd.log'),
  });
  onTestFinished(() => etcd.kill());
  const socket = join(directory, 'etcd.sock');
  const bridge = await openBridge(socket, port);
  onTestFinished(bridge.close);
  return socket;
}
