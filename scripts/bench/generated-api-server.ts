import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { listPaths, wholeCluster, wholeDaemonSet, wholeNode, wholePod } from './whole-objects.ts';

/** A list whose objects are made when their page is. */
interface GeneratedList {
  readonly length: number;
  readonly itemAt: (index: number) => object;
}

const { nodes, podsPerNode, daemonSets } = wholeCluster;

const lists: Readonly<Record<string, GeneratedList>> = {
  [listPaths.nodes]: { length: nodes, itemAt: wholeNode },
  [listPaths.pods]: {
    length: nodes * podsPerNode,
    itemAt: (index) => wholePod(Math.floor(index / podsPerNode), index % podsPerNode),
  },
  [listPaths.daemonSets]: { length: daemonSets, itemAt: wholeDaemonSet },
};
const emptyList: GeneratedList = { length: 0, itemAt: () => ({}) };

/** kube-apiserver compresses lists at this level. */
const gzipLevel = 1;

/** An API server on loopback that serves pages of a large cluster. It speaks HTTP: TLS is in no figure. */
export interface GeneratedApiServer {
  readonly url: string;
  close(): void;
}

/** Starts the server. A page is made when it is requested for the first time. */
export async function startGeneratedApiServer(): Promise<GeneratedApiServer> {
  const pages = new Map<string, Buffer>();
  const pageFor = ({ url = '' }: IncomingMessage): Buffer => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const from = Number(searchParams.get('continue') ?? 0);
    const limit = Number(searchParams.get('limit') ?? Infinity);
    const key = `${pathname} ${from} ${limit}`;
    const page = pages.get(key) ?? makePage(lists[pathname] ?? emptyList, from, limit);
    pages.set(key, page);
    return page;
  };
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(pageFor(request));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function makePage({ length, itemAt }: GeneratedList, from: number, limit: number): Buffer {
  const end = Math.min(from + limit, length);
  const items = Array.from({ length: end - from }, (_, index) => itemAt(from + index));
  const metadata = end < length ? { continue: String(end) } : {};
  return gzipSync(JSON.stringify({ metadata, items }), { level: gzipLevel });
}
