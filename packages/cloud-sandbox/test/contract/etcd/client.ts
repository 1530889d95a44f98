import type { EtcdCredentials, GatewayRequest, StreamGateway } from '../../../src/etcd/gateway-request.ts';
import { EtcdRefusal, refusalOf, refusalOfTransport } from './refusal.ts';

/** Where a member listens to clients, and the name that its certificate must have. */
export interface EtcdEndpoint {
  readonly url: string;
  readonly serverName: string;
}

export interface EtcdMember {
  readonly id: string;
  readonly name: string;
  readonly peerUrls: readonly string[];
  readonly clientUrls: readonly string[];
  readonly isLearner: boolean;
}

export interface MemberList {
  /** Hexadecimal, as etcdctl prints it. */
  readonly clusterId: string;
  readonly members: readonly EtcdMember[];
}

export type EndpointStatus =
  | {
      readonly kind: 'answers';
      readonly clusterId: string;
      readonly memberId: string;
      /** `/health` answers 200: the member can serve with quorum. */
      readonly healthy: boolean;
      readonly isLearner: boolean;
      readonly version: string;
      readonly databaseBytes: number;
    }
  | { readonly kind: 'silent'; readonly why: 'unreachable' | 'certificate' };

export interface GatewayResponse {
  readonly status: number;
  readonly body: string;
}

/** Requests to the JSON gateways of some members. A call tries the endpoints in order until one answers it. */
export interface EtcdClient {
  status(endpoint: EtcdEndpoint): Promise<EndpointStatus>;
  /** Linearizable: rejects without quorum. */
  members(endpoints: readonly EtcdEndpoint[]): Promise<MemberList>;
  addLearner(endpoints: readonly EtcdEndpoint[], peerUrls: readonly string[]): Promise<EtcdMember>;
  addVoter(endpoints: readonly EtcdEndpoint[], peerUrls: readonly string[]): Promise<EtcdMember>;
  promote(endpoints: readonly EtcdEndpoint[], memberId: string): Promise<void>;
  remove(endpoints: readonly EtcdEndpoint[], memberId: string): Promise<void>;
}

export interface EtcdClientOptions {
  readonly send: (request: GatewayRequest) => Promise<GatewayResponse>;
  readonly credentials: EtcdCredentials;
}

const timeoutMilliseconds = 5000;

const rpcTo = (
  { url, serverName }: EtcdEndpoint,
  { path, body, credentials }: { path: string; body: object; credentials: EtcdCredentials },
): GatewayRequest => ({
  method: 'POST',
  url: `${url}${path}`,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
  timeoutMilliseconds,
  tls: { ...credentials, serverName },
});

interface WireHeader {
  readonly cluster_id: string;
  readonly member_id: string;
}

/** The gateway leaves out what is empty or false. */
interface WireMember {
  readonly ID: string;
  readonly name?: string;
  readonly peerURLs?: readonly string[];
  readonly clientURLs?: readonly string[];
  readonly isLearner?: boolean;
}

const memberOf = ({ ID, name, peerURLs, clientURLs, isLearner }: WireMember): EtcdMember => ({
  id: ID,
  name: name ?? '',
  peerUrls: peerURLs ?? [],
  clientUrls: clientURLs ?? [],
  isLearner: isLearner ?? false,
});

const clusterIdOf = ({ cluster_id }: WireHeader): string => BigInt(cluster_id).toString(16);

export function createEtcdClient({ send, credentials }: EtcdClientOptions): EtcdClient {
  const exchange = async (request: GatewayRequest): Promise<GatewayResponse> => {
    try {
      return await send(request);
    } catch (error) {
      throw refusalOfTransport(error);
    }
  };
  const call = async (endpoint: EtcdEndpoint, path: string, body: object): Promise<unknown> => {
    // Shorter than our own timeout, so that etcd's error still arrives.
    const request = rpcTo(endpoint, { path, body, credentials });
    const headers = { ...request.headers, 'grpc-timeout': '3S' };
    const response = await exchange({ ...request, headers });
    if (response.status !== 200) throw refusalOf(response);
    return JSON.parse(response.body);
  };
  const change = async (endpoints: readonly EtcdEndpoint[], verb: string, body: object) =>
    await first(endpoints, (endpoint) => call(endpoint, `/v3/cluster/member/${verb}`, body));
  const add = async (endpoints: readonly EtcdEndpoint[], body: object) => {
    const { member } = (await change(endpoints, 'add', body)) as { readonly member: WireMember };
    return memberOf(member);
  };
  const isHealthy = async ({ url, serverName }: EtcdEndpoint): Promise<boolean> => {
    const tls = { ...credentials, serverName };
    const request = { method: 'GET', url: `${url}/health`, headers: {}, timeoutMilliseconds, tls } as const;
    const answer = await exchange(request).catch(silenceOf);
    return 'status' in answer && answer.status === 200;
  };
  const answerOf = async (endpoint: EtcdEndpoint): Promise<EndpointStatus> => {
    const [answer, healthy] = await Promise.all([
      call(endpoint, '/v3/maintenance/status', {}),
      isHealthy(endpoint),
    ]);
    const { header, version, dbSize, isLearner } = answer as {
      readonly header: WireHeader;
      readonly version: string;
      readonly dbSize?: string;
      readonly isLearner?: boolean;
    };
    return {
      kind: 'answers',
      clusterId: clusterIdOf(header),
      memberId: header.member_id,
      healthy,
      isLearner: isLearner ?? false,
      version,
      databaseBytes: Number(dbSize ?? 0),
    };
  };
  const list = async (endpoint: EtcdEndpoint): Promise<MemberList> => {
    // etcd 3.4 has no linearizable list: a linearizable read of no key shows first that the member is not behind.
    await call(endpoint, '/v3/kv/range', { key: 'AA==', count_only: true });
    const answer = await call(endpoint, '/v3/cluster/member/list', { linearizable: true });
    const { header, members } = answer as {
      readonly header: WireHeader;
      readonly members: readonly WireMember[];
    };
    return { clusterId: clusterIdOf(header), members: members.map(memberOf) };
  };
  return {
    status: (endpoint) => answerOf(endpoint).catch(silenceOf),
    members: (endpoints) => first(endpoints, list),
    addLearner: (endpoints, peerURLs) => add(endpoints, { peerURLs, isLearner: true }),
    addVoter: (endpoints, peerURLs) => add(endpoints, { peerURLs }),
    promote: async (endpoints, ID) => void (await change(endpoints, 'promote', { ID })),
    remove: async (endpoints, ID) => void (await change(endpoints, 'remove', { ID })),
  };
}

/** For an error that is none of etcd's it throws that error. */
function silenceOf(error: unknown): Extract<EndpointStatus, { readonly kind: 'silent' }> {
  if (!(error instanceof EtcdRefusal)) throw error;
  return { kind: 'silent', why: error.code === 'denied' ? 'certificate' : 'unreachable' };
}

async function first<T>(
  endpoints: readonly EtcdEndpoint[],
  ask: (endpoint: EtcdEndpoint) => Promise<T>,
): Promise<T> {
  const silent: EtcdRefusal[] = [];
  for (const endpoint of endpoints) {
    try {
      return await ask(endpoint);
    } catch (error) {
      if (!(error instanceof EtcdRefusal) || !error.isOfOneEndpoint) throw error;
      silent.push(error);
    }
  }
  const code = silent.every((refusal) => refusal.code === 'denied') ? 'denied' : 'no-quorum';
  throw new EtcdRefusal(code, silent.map(({ message }) => message).join('; '));
}

/** The content of a snapshot as it comes, with the hash at its end. */
export async function* streamSnapshot(
  endpoint: EtcdEndpoint,
  { stream, credentials }: { readonly stream: StreamGateway; readonly credentials: EtcdCredentials },
): AsyncGenerator<Uint8Array> {
  const { status, chunks } = await stream(
    rpcTo(endpoint, { path: '/v3/maintenance/snapshot', body: {}, credentials }),
  );
  if (status !== 200) throw new EtcdRefusal('other', `the snapshot was answered with status ${status}`);
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) yield blobOf(line);
  }
  if (text !== '') yield blobOf(text);
}

/** One line of the stream: a part of the content, or the error that ends it. */
function blobOf(line: string): Uint8Array {
  const { result, error } = JSON.parse(line) as {
    readonly result?: { readonly blob?: string };
    readonly error?: { readonly message: string };
  };
  if (error !== undefined) throw new EtcdRefusal('other', error.message);
  return Buffer.from(result?.blob ?? '', 'base64');
}
