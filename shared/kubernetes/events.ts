import type { Clock } from '../base/clock.ts';
import type { DrainCluster, NodeEvent } from '../nodes/cluster.ts';
import { type Api, pathOf, writeTimeoutMilliseconds } from './api.ts';

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
