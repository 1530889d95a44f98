import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EtcdEndpoint } from '../../../../shared/etcd/cluster.ts';
import { createEtcdCluster } from '../../../../shared/etcd-api/etcd-cluster.ts';
import { createEtcdSnapshots } from '../../../../shared/etcd-api/etcd-snapshots.ts';
import type { GatewayRequest } from '../../../../shared/etcd-api/http.ts';
import { streamHttps } from '../../../../shared/etcd-api/stream-https.ts';
import { sendHttp } from '../../../../shared/kubernetes/send-http.ts';
import { callersOf } from '../../../contract/etcd/callers.ts';
import type { EtcdWorld, Start, TestMember } from '../../../contract/etcd/world.ts';
import type { EtcdVersion } from './binaries.ts';
import { type RunningMember, startMember } from './member.ts';
import { createTestAuthority, type TestCredential } from './test-authority.ts';

export interface RealEtcdWorld extends EtcdWorld {
  /** Ends every member and takes its data away. */
  close(): Promise<void>;
}

interface RealMember extends TestMember {
  readonly address: string;
  readonly credential: TestCredential;
}

/** Worlds run side by side: each has a network on loopback of its own, and so has each process. */
const nextNetwork = (() => {
  let number = 0;
  return (): string => {
    number += 1;
    return `127.${10 + (process.pid % 200)}.${number}`;
  };
})();

/** Real members on loopback, with mutual TLS of a small authority of their own. */
export async function createRealEtcdWorld(etcd: EtcdVersion): Promise<RealEtcdWorld> {
  const directory = mkdtempSync(join(tmpdir(), 'etcd-'));
  const network = nextNetwork();
  const authority = await createTestAuthority();
  const credentials = await callersOf(authority, Date.now());
  const made = new Map<string, RealMember>();
  const running = new Map<string, RunningMember>();
  const ends = new Map<string, { readonly code: number; readonly output: string }>();

  const make = async (): Promise<RealMember> => {
    const name = `m${made.size + 1}`;
    const address = `${network}.${11 + made.size}`;
    const serverName = `${name}.etcd.test`;
    // Peers on loopback dial from 127.0.0.1, and etcd looks at where they come from.
    const names = [serverName, address, '127.0.0.1'];
    const credential = await authority.issue({ commonName: name, names });
    const endpoint = { url: `https://${address}:2379`, serverName };
    return { name, address, peerUrl: `https://${address}:2380`, endpoint, credential };
  };
  const run = (
    { name, address, credential, peerUrl, endpoint }: RealMember,
    bootstrap: readonly string[],
  ): void => {
    const file = (kind: string, content: string): string => {
      const path = join(directory, `${name}.${kind}`);
      writeFileSync(path, content, { mode: 0o600 });
      return path;
    };
    mkdirSync(join(directory, name), { recursive: true, mode: 0o700 });
    const files = {
      dataDirectory: join(directory, name),
      certificateAuthority: file('ca', authority.certificate),
      certificate: file('crt', credential.certificate),
      key: file('key', credential.key),
    };
    const member = startMember({ etcd, name, address, peerUrl, clientUrl: endpoint.url, files, bootstrap });
    running.set(name, member);
    ends.delete(name);
    void member.exited.then((code) => ends.set(name, { code: code ?? -1, output: member.output() }));
  };
  const known = ({ name }: TestMember): RealMember => {
    const member = made.get(name);
    if (member === undefined) throw new Error(`there is no member ${name}`);
    return member;
  };
  const ask = async (endpoint: EtcdEndpoint, path: string, rest: Pick<GatewayRequest, 'method' | 'body'>) =>
    await sendHttp({
      ...rest,
      url: `${endpoint.url}${path}`,
      headers: { 'content-type': 'application/json' },
      timeoutMilliseconds: 15_000,
      tls: { ...credentials.client, serverName: endpoint.serverName },
    });

  return {
    version: etcd.version,
    members: async (count) => {
      const members: RealMember[] = [];
      for (let number = 0; number < count; number += 1) {
        const member = await make();
        made.set(member.name, member);
        members.push(member);
      }
      return members;
    },
    start: async (member, start) => run(known(member), bootstrapFlags(start)),
    restart: async (member) => run(known(member), []),
    wipe: async ({ name }) => rmSync(join(directory, name), { recursive: true }),
    kill: async ({ name }) => {
      await running.get(name)?.kill();
    },
    ended: ({ name }) => ends.get(name),
    pass: (seconds) => sleep(seconds * 1000),
    etcd: (caller = 'client') =>
      createEtcdCluster({ send: sendHttp, credentials: async () => credentials[caller] }),
    snapshots: createEtcdSnapshots({ stream: streamHttps, credentials: async () => credentials.client }),
    post: (endpoint, path, body) => ask(endpoint, path, { method: 'POST', body: JSON.stringify(body) }),
    get: (endpoint, path) => ask(endpoint, path, { method: 'GET' }),
    close: async () => {
      await Promise.all([...running.values()].map((member) => member.kill()));
      rmSync(directory, { recursive: true });
    },
  };
}

const bootstrapFlags = ({ state, with: members }: Start): readonly string[] => [
  `--initial-cluster-state=${state}`,
  `--initial-cluster=${members.map(({ name, peerUrl }) => `${name}=${peerUrl}`).join(',')}`,
];
