import type { Clock } from '../base/clock.ts';
import type { DrainCluster, NodeEvent } from '../nodes/cluster.ts';
import { type Api, type ApiOptions, createApi, pathOf, writeTimeoutMilliseconds } from './api.ts';
import { claimSchema, getObject, listCached, volumeAttachmentSchema } from './lists.ts';
import { nodeCalls } from './nodes.ts';
import { podCalls } from './pods.ts';
import { rolloutCalls } from './rollouts.ts';
import { type ServedVersion, servedVersion } from './served-version.ts';

export interface KubernetesClientOptions extends ApiOptions {
  /** The time of Events and conditions. */
  readonly clock: Clock;
}

/** The Kubernetes API of one cluster, as a drain needs it. */
export function createKubernetesClient(options: KubernetesClientOptions): DrainCluster {
  const api = createApi(options);
  return {
    ...nodeCalls(api),
    ...podCalls(api, options.clock),
    ...rolloutCalls(api),
    ...volumeCalls(api),
    ...eventCalls(api, options.clock),
  };
}

/** The API server refuses longer messages. */
const maximumMessageLength = 1024;

/** Nodes have no namespace. Their Events are created in `default`, where `kubectl describe node` looks. */
export const eventCalls = (api: Api, clock: Clock): Pick<DrainCluster, 'recordEvent'> => ({
  recordEvent: async (event) => {
    const path = pathOf('api', 'v1', 'namespaces', 'default', 'events');
    const body = eventBody(event, new Date(clock.now()).toISOString());
    await api.call({ method: 'POST', path, body, timeoutMilliseconds: writeTimeoutMilliseconds });
  },
});

const eventBody = ({ node, type, reason, message }: NodeEvent, time: string) => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { generateName: `${node.name}.`, namespace: 'default' },
  involvedObject: { apiVersion: 'v1', kind: 'Node', name: node.name, uid: node.uid },
  type,
  reason,
  message: message.slice(0, maximumMessageLength),
  source: { component: 'drover' },
  reportingComponent: 'drover',
  firstTimestamp: time,
  lastTimestamp: time,
  count: 1,
});

/** In v1 since Kubernetes 1.13. */
export const attachments = { group: 'storage.k8s.io', plural: 'volumeattachments' } as const;

export const attachmentsPath = (version: ServedVersion): string =>
  pathOf('apis', attachments.group, version, attachments.plural);

/** Calls for volumes: those attached to a Node, and the volume of a claim. */
export const volumeCalls = (
  api: Api,
  withAttachments = servedVersion(api, attachments),
): Pick<DrainCluster, 'listVolumeAttachments' | 'volumeOfClaim'> => ({
  // The API server has no field selector for the spec of an attachment.
  listVolumeAttachments: async (nodeName) => {
    const all = await withAttachments((version) =>
      listCached(api, { path: attachmentsPath(version), schema: volumeAttachmentSchema }),
    );
    return all.filter((attachment) => attachment.spec.nodeName === nodeName);
  },
  volumeOfClaim: async (namespace, claimName) => {
    const path = pathOf('api', 'v1', 'namespaces', namespace, 'persistentvolumeclaims', claimName);
    const claim = await getObject(api, path, claimSchema);
    return claim?.spec?.volumeName || undefined;
  },
});
