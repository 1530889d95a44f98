import type { GatewayRequest } from '../../../src/etcd/gateway-request.ts';
import { createEtcdClient, type EtcdEndpoint, streamSnapshot } from './client.ts';
import type { EtcdAccess, EtcdCalls } from './world.ts';

/** The calls of a world, which are the same however a request reaches its members. */
export function callsOf({ send, stream, credentials }: EtcdAccess): EtcdCalls {
  const ask = (
    { url, serverName }: EtcdEndpoint,
    path: string,
    rest: Pick<GatewayRequest, 'method' | 'body'>,
  ) =>
    send({
      ...rest,
      url: `${url}${path}`,
      headers: { 'content-type': 'application/json' },
      timeoutMilliseconds: 15_000,
      tls: { ...credentials.client, serverName },
    });
  return {
    etcd: (caller = 'client') => createEtcdClient({ send, credentials: credentials[caller] }),
    snapshot: (endpoint) => streamSnapshot(endpoint, { stream, credentials: credentials.client }),
    post: (endpoint, path, body) => ask(endpoint, path, { method: 'POST', body: JSON.stringify(body) }),
    get: (endpoint, path) => ask(endpoint, path, { method: 'GET' }),
  };
}
