import type { EtcdEndpoint } from '../etcd/cluster.ts';
import { EtcdError } from '../etcd/cluster.ts';
import { gatewayFailure, isWorthAnotherEndpoint, transportFailure } from './failures.ts';
import type { EtcdCredentials, GatewayRequest, SendGateway } from './http.ts';

/** Shorter than our own timeout, so that etcd's error still arrives. By default etcd tries for 7 s and more. */
const grpcTimeout = '3S';
const timeoutMilliseconds = 5_000;

export interface GatewayOptions {
  readonly send: SendGateway;
  /** Called before every request, because the credentials are short-lived. The caller caches them. */
  readonly credentials: () => Promise<EtcdCredentials>;
  /** Once it is aborted, no request is sent, not even to the next endpoint of a call that began in time. */
  readonly signal?: AbortSignal;
}

export interface GatewayCall {
  /** `/v3/cluster/member/list` */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Gateway {
  /** The JSON of an answer with status 200. Rejects with an EtcdError for any other. */
  call(endpoint: EtcdEndpoint, call: GatewayCall): Promise<unknown>;
  /** Tries the endpoints in order until one answers, or refuses for a reason that holds for all. */
  first<T>(endpoints: readonly EtcdEndpoint[], ask: (endpoint: EtcdEndpoint) => Promise<T>): Promise<T>;
  /** Tries the endpoints in order until one gives the answer. For reads: a refusal of one member says nothing about the others. */
  firstAnswer<T>(endpoints: readonly EtcdEndpoint[], ask: (endpoint: EtcdEndpoint) => Promise<T>): Promise<T>;
  /** `/health`: whether the member can serve with quorum, however full its database is. */
  isHealthy(endpoint: EtcdEndpoint): Promise<boolean>;
}

/** Every RPC is a POST, even a read (etcd `api_grpc_gateway`). */
export const rpcRequest = (
  { url, serverName }: EtcdEndpoint,
  { path, body }: GatewayCall,
  credentials: EtcdCredentials,
): GatewayRequest => ({
  method: 'POST',
  url: `${url}${path}`,
  headers: { 'content-type': 'application/json', 'grpc-timeout': grpcTimeout },
  body: JSON.stringify(body),
  timeoutMilliseconds,
  tls: { ...credentials, serverName },
});

export function createGateway({ send, credentials, signal }: GatewayOptions): Gateway {
  const exchange = async (request: GatewayRequest) => {
    signal?.throwIfAborted();
    try {
      return await send(request);
    } catch (error) {
      throw transportFailure(request.url, error);
    }
  };
  return {
    first: (endpoints, ask) => tryEach(endpoints, ask, isWorthAnotherEndpoint),
    firstAnswer: (endpoints, ask) => tryEach(endpoints, ask, () => true),
    call: async (endpoint, call) => {
      const request = rpcRequest(endpoint, call, await credentials());
      const { status, body } = await exchange(request);
      if (status !== 200) throw gatewayFailure(request.url, status, body);
      return parse(request.url, body);
    },
    isHealthy: async ({ url, serverName }) => {
      const tls = { ...(await credentials()), serverName };
      const request = {
        method: 'GET',
        url: `${url}/health?exclude=NOSPACE`,
        headers: {},
        timeoutMilliseconds,
        tls,
      } as const;
      return (await exchange(request)).status === 200;
    },
  };
}

async function tryEach<T>(
  endpoints: readonly EtcdEndpoint[],
  ask: (endpoint: EtcdEndpoint) => Promise<T>,
  isWorthAnother: (error: EtcdError) => boolean,
): Promise<T> {
  const failures: EtcdError[] = [];
  for (const endpoint of endpoints) {
    try {
      return await ask(endpoint);
    } catch (error) {
      if (!(error instanceof EtcdError) || !isWorthAnother(error)) throw error;
      failures.push(error);
    }
  }
  throw noAnswer(failures);
}

function parse(url: string, body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new EtcdError('other', `${url} answered something that is not JSON`, { cause });
  }
}

/** Joins the errors of all endpoints. The code is `denied` only if every endpoint denied access. */
function noAnswer(errors: readonly EtcdError[]): EtcdError {
  const [first, ...others] = errors;
  if (first === undefined) return new EtcdError('no-quorum', 'there is no endpoint of etcd to ask');
  if (others.length === 0) return first;
  const code = errors.every((error) => error.code === first.code) ? first.code : 'no-quorum';
  return new EtcdError(code, errors.map(({ message }) => message).join('; '), { cause: first });
}
