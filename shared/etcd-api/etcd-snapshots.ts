import { type EtcdEndpoint, EtcdError, type EtcdSnapshots } from '../etcd/cluster.ts';
import { gatewayFailure, transportFailure } from './failures.ts';
import { rpcRequest } from './gateway.ts';
import type { EtcdCredentials, GatewayRequest, StreamGateway } from './http.ts';
import { linesOf } from './lines.ts';
import { read, snapshotLine } from './schemas.ts';
import { verified } from './verified.ts';

export interface EtcdSnapshotsOptions {
  readonly stream: StreamGateway;
  readonly credentials: () => Promise<EtcdCredentials>;
}

/** Streams the database of a member over its JSON gateway. It holds at most one line in memory. */
export function createEtcdSnapshots({ stream, credentials }: EtcdSnapshotsOptions): EtcdSnapshots {
  return {
    stream: async function* (endpoint) {
      const request = snapshotRequest(endpoint, await credentials());
      yield* verified(blobs(request, received(stream, request)));
    },
  };
}

/** After this time without data the stream fails. */
const silenceMilliseconds = 20_000;

/** Without a gRPC deadline, which would limit the whole stream. */
function snapshotRequest(endpoint: EtcdEndpoint, credentials: EtcdCredentials): GatewayRequest {
  const request = rpcRequest(endpoint, { path: '/v3/maintenance/snapshot', body: {} }, credentials);
  const { 'grpc-timeout': _, ...headers } = request.headers;
  return { ...request, headers, timeoutMilliseconds: silenceMilliseconds };
}

async function* received(stream: StreamGateway, request: GatewayRequest): AsyncGenerator<Uint8Array> {
  try {
    const { status, chunks } = await stream(request);
    if (status !== 200) throw gatewayFailure(request.url, status, await beginning(chunks));
    yield* chunks;
  } catch (error) {
    throw transportFailure(request.url, error);
  }
}

/** The first line, which holds the whole error. */
async function beginning(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  for await (const line of linesOf(chunks)) return line;
  return '';
}

async function* blobs(
  { url }: GatewayRequest,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const line of linesOf(chunks)) {
    const message = read(snapshotLine(), parse(line), 'a line of the snapshot');
    if ('error' in message)
      throw new EtcdError('other', `${url} broke the snapshot off: ${message.error.message}`);
    yield Buffer.from(message.result.blob, 'base64');
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new EtcdError('other', 'the snapshot is incomplete: its last line is not JSON', { cause });
  }
}
