import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { type LeavingMark, readLeavingMark } from '../../../../shared/nodes/leaving-mark.ts';
import { nodeTags } from '../../worlds/instances.ts';
import type { World } from '../../worlds/world.ts';
import { list } from './api.ts';

/** The Nodes of the case. */
export const nodesOf = (world: World): Promise<readonly Node[]> =>
  list<Node>(
    world,
    `/api/v1/nodes?labelSelector=${encodeURIComponent(`${nodeTags.namespace}=${world.namespace}`)}`,
  );

export async function nodeOf(world: World, instanceId: string): Promise<Node | undefined> {
  const nodes = await nodesOf(world);
  return nodes.find(({ spec }) => spec?.providerID?.endsWith(`/${instanceId}`));
}

export const nodeNameOf = async (world: World, instanceId: string): Promise<string> =>
  (await nodeOf(world, instanceId))?.metadata?.name ?? '';

/** What Drover has written on the Node. */
export const markOf = async (world: World, instanceId: string): Promise<LeavingMark | undefined> =>
  readLeavingMark((await nodeOf(world, instanceId))?.metadata?.annotations);

export const isReady = ({ status }: Node): boolean =>
  status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;

/** The reasons of the Events on a Node, where `kubectl describe node` looks. */
export async function eventsOn(world: World, nodeName: string): Promise<readonly string[]> {
  const selector = encodeURIComponent(`involvedObject.name=${nodeName}`);
  const events = await list<{ readonly reason?: string }>(
    world,
    `/api/v1/namespaces/default/events?fieldSelector=${selector}`,
  );
  return events.map(({ reason = '' }) => reason);
}

/** The status of a condition: `True`, `False`, `Unknown`. */
export const conditionOf = (node: Node | undefined, type: string): string | undefined =>
  node?.status?.conditions?.find((condition) => condition.type === type)?.status;
