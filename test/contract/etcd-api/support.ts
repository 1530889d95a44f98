import type { Caller } from '@drover/cloud-sandbox/real/etcd/callers.ts';
import type { EtcdWorld, TestMember } from '@drover/cloud-sandbox/test/contract/etcd/world.ts';
import { expect } from 'vitest';
import type {
  EtcdCluster,
  EtcdEndpoint,
  EtcdErrorCode,
  EtcdSnapshots,
} from '../../../shared/etcd/cluster.ts';
import { createEtcdCluster } from '../../../shared/etcd-api/etcd-cluster.ts';
import { createEtcdSnapshots } from '../../../shared/etcd-api/etcd-snapshots.ts';
import type { SendGateway, StreamGateway } from '../../../shared/etcd-api/http.ts';

/** Members of etcd, and how Drover's client reaches them. */
export interface EtcdApiWorld {
  readonly members: EtcdWorld;
  readonly send: SendGateway;
  readonly stream: StreamGateway;
}

/** Drover's own client, with the certificate of one caller. */
export function clientOf(
  { members, send, stream }: EtcdApiWorld,
  caller: Caller = 'client',
): { readonly cluster: EtcdCluster; readonly snapshots: EtcdSnapshots } {
  const credentials = async () => members.credentials[caller];
  return {
    cluster: createEtcdCluster({ send, credentials }),
    snapshots: createEtcdSnapshots({ stream, credentials }),
  };
}

export const isError = (code: EtcdErrorCode): unknown => expect.objectContaining({ name: 'EtcdError', code });

/** The first of a list that must not be empty. */
export function firstOf([first]: readonly TestMember[]): TestMember {
  if (first === undefined) throw new Error('there is no member');
  return first;
}

/** Drover adds the next member as a learner, which starts then. */
export async function learnerOf(world: EtcdApiWorld, members: readonly TestMember[]) {
  const learner = firstOf(await world.members.members(1));
  const endpoints = members.map(({ endpoint }) => endpoint);
  const { id } = await clientOf(world).cluster.addLearner(endpoints, [learner.peerUrl]);
  await world.members.start(learner, { state: 'existing', with: [...members, learner] });
  return { learner, id };
}

export async function bytesOf(snapshots: EtcdSnapshots, endpoint: EtcdEndpoint): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of snapshots.stream(endpoint)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
