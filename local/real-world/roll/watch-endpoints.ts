import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAway } from '@drover/cloud-sandbox/real/https.ts';
import type { ClusterAdmin } from '@drover/cloud-sandbox/real/kubernetes/admin.ts';
import type { ControlPlane } from '@drover/cloud-sandbox/real/kubernetes/control-plane.ts';
import { requestOf } from '@drover/cloud-sandbox/real/kubernetes/objects.ts';
import type { Endpoint, EndpointSlice } from 'kubernetes-types/discovery/v1.d.ts';

/** A time in which no client could reach a Service. */
export interface Gap {
  readonly service: string;
  readonly milliseconds: number;
}

/** Watches the EndpointSlices of a namespace as kube-proxy does, and which of their nodes live. */
export interface EndpointWatch {
  /** Forgets the gaps so far: from now on each Service should serve. */
  readonly begin: () => void;
  /** Looks again: a node has begun to live, or has ended. */
  readonly look: () => void;
  /** The gaps so far; one that lasts has the time until now. */
  readonly gaps: () => readonly Gap[];
  /** How many pods have been endpoints so far. */
  readonly pods: () => number;
  stop(): Promise<void>;
}

export interface WatchedServices {
  readonly admin: ClusterAdmin;
  readonly controlPlane: ControlPlane;
  readonly namespace: string;
  readonly services: readonly string[];
  readonly lives: (nodeName: string) => boolean;
  readonly onProblem: (problem: unknown) => void;
}

/** The API server writes null for a slice without endpoints. */
interface Slice extends Pick<EndpointSlice, 'metadata'> {
  readonly endpoints: readonly Endpoint[] | null;
}

interface SliceList {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly Slice[];
}

interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: Slice;
}

/**
 * Begins to watch. While the API server is away, clients have the endpoints that they know: only the end of a node changes what serves then.
 *
 * @throws Error if the API server refuses the first list
 */
export async function watchEndpoints(watched: WatchedServices): Promise<EndpointWatch> {
  const { services, lives, namespace, onProblem } = watched;
  const slices = new Map<string, Slice>();
  const since = new Map<string, number>();
  const ended: Gap[] = [];
  const pods = new Set<string>();
  const serves = (service: string): boolean =>
    [...slices.values()].some(
      ({ metadata, endpoints }) =>
        metadata?.labels?.['kubernetes.io/service-name'] === service &&
        (endpoints ?? []).some(
          ({ conditions, nodeName }) => conditions?.ready === true && lives(nodeName ?? ''),
        ),
    );
  const put = (slice: Slice): void => {
    slices.set(slice.metadata?.name ?? '', slice);
    for (const { targetRef } of slice.endpoints ?? []) pods.add(targetRef?.name ?? '');
  };
  const look = (): void => {
    const now = performance.now();
    for (const service of services) {
      const begun = since.get(service);
      if (!serves(service)) since.set(service, begun ?? now);
      else if (begun !== undefined) {
        ended.push({ service, milliseconds: Math.ceil(now - begun) });
        since.delete(service);
      }
    }
  };
  const path = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`;
  const list = async (): Promise<string> => {
    const { status, body } = await requestOf(watched.admin, { method: 'GET', path });
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${body}`);
    const { items, metadata } = JSON.parse(body) as SliceList;
    slices.clear();
    for (const item of items) put(item);
    look();
    return metadata.resourceVersion;
  };
  const take = ({ type, object }: WatchEvent): void => {
    if (type === 'DELETED') slices.delete(object.metadata?.name ?? '');
    else put(object);
    look();
  };
  const ending = new AbortController();
  let current: IncomingMessage | undefined;
  const follow = async (resourceVersion: string): Promise<void> => {
    current = await openWatch(watched, `${path}?watch=1&resourceVersion=${resourceVersion}`);
    let rest = '';
    for await (const text of current) {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const event = JSON.parse(line) as WatchEvent;
        // The version is too old for the watch cache: it begins again with a list.
        if (event.type === 'ERROR') return;
        take(event);
      }
    }
  };
  const watch = async (first: string): Promise<void> => {
    let version: string | undefined = first;
    while (!ending.signal.aborted) {
      try {
        await follow(version ?? (await list()));
      } catch (error) {
        if (!ending.signal.aborted && !isAway(error)) throw error;
      }
      version = undefined;
      await sleep(100);
    }
  };
  const watching = watch(await list()).catch(onProblem);
  return {
    begin: () => {
      ended.length = 0;
      since.clear();
      look();
    },
    look,
    pods: () => pods.size,
    gaps: () => [
      ...ended,
      ...[...since].map(([service, begun]) => ({
        service,
        milliseconds: Math.ceil(performance.now() - begun),
      })),
    ],
    stop: async () => {
      ending.abort();
      current?.destroy();
      await watching;
    },
  };
}

/** The server ends a watch after some minutes by itself. @throws Error if the API server is away, or refuses */
const openWatch = ({ admin, controlPlane }: WatchedServices, path: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const options = {
      headers: { authorization: `Bearer ${admin.token}` },
      ca: controlPlane.files.authority.certificate,
    };
    get(`${admin.server}${path}`, options, (response) => {
      if (response.statusCode === 200) resolve(response.setEncoding('utf8'));
      else reject(new Error(`the watch of ${path} was refused with ${response.statusCode}`));
    }).on('error', reject);
  });
