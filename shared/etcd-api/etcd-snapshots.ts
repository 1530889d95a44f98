import { createHash } from 'node:crypto';
import { type EtcdEndpoint, EtcdError, type EtcdSnapshots } from '../etcd/cluster.ts';
import { gatewayFailure, transportFailure } from './failures.ts';
import { rpcRequest } from './gateway.ts';
import type { EtcdCredentials, GatewayRequest, StreamGateway } from './http.ts';
import { read, snapshotLine } from './schemas.ts';

interface EtcdSnapshotsOptions {
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

/** The request has no gRPC deadline, which would limit the whole stream. */
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

/** etcd sends blobs of 32 KB, which are lines of 44 KB. A longer line is not a snapshot. */
const maximumLineBytes = 1024 * 1024;
const newline = 0x0a;

/** Splits a stream into lines, however it is cut into chunks. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  const keep = (piece: Uint8Array): void => {
    size += piece.length;
    if (size > maximumLineBytes)
      throw new EtcdError('other', `the stream of etcd has a line of more than ${maximumLineBytes} bytes`);
    pieces.push(piece);
  };
  const take = (): string => {
    const line = Buffer.concat(pieces).toString('utf8');
    pieces = [];
    size = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      keep(chunk.subarray(start, end));
      start = end + 1;
      yield take();
    }
    keep(chunk.subarray(start));
  }
  if (size > 0) yield take();
}

const hashBytes = 32;

/**
 * Yields every chunk unchanged, and throws an EtcdError if the last 32 bytes are not the SHA-256 of the content before them.
 * etcd appends the hash (`v3rpc/maintenance.go`), and `etcdutl snapshot restore` requires it.
 */
export async function* verified(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let tail: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    const both = Buffer.concat([tail, chunk]);
    const cut = Math.max(0, both.length - hashBytes);
    hash.update(both.subarray(0, cut));
    tail = both.subarray(cut);
    if (chunk.length > 0) yield chunk;
  }
  if (tail.length < hashBytes || !hash.digest().equals(tail))
    throw new EtcdError(
      'other',
      'the snapshot is incomplete: the SHA-256 at its end does not match its content',
    );
}
