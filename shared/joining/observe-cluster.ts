import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { messageOf } from '../base/message-of.ts';
import type { Ec2Instance } from '../groups/ec2.ts';
import { isNodeReady } from '../nodes/node-condition.ts';
import { isNodeOf, likelyNodeNames } from '../nodes/node-names.ts';
import type { ClusterObserved, Joining, JoiningContext, OwnRequests } from './context.ts';

/**
 * Decides the certificate requests of the instance and finds its Node, both at the same time: if the API server is slow, a pass has time
 * for only three or four calls in sequence. If a certificate is approved now, the next pass finds the Node.
 */
export async function observeCluster(context: JoiningContext, state: Joining): Promise<ClusterObserved> {
  if (state.toWarmPool) return { requests: { kind: 'off' }, node: undefined, namesake: undefined };
  const { instanceId } = state.instance;
  const deciding = decideOwnRequests(context, state);
  // Nothing may be written after the pass has ended, so even if the lookup fails, the decisions are awaited.
  const [found] = await Promise.allSettled([findNode(context, { instanceId, ...state.ec2 }), deciding]);
  if (found.status === 'rejected') throw found.reason;
  return { requests: await deciding, ...found.value };
}

/** A failure does not prevent a Ready Node from serving. The function certificate-requests also tries again. */
async function decideOwnRequests(
  { requests, reportError }: JoiningContext,
  { instance: { instanceId }, ec2 }: Joining,
): Promise<OwnRequests> {
  if (!requests) return { kind: 'off' };
  try {
    const { privateDnsName } = ec2 ?? {};
    return { kind: 'decided', ...(await requests.decideRequestsOf({ instanceId, privateDnsName })) };
  } catch (error) {
    reportError(
      `the certificate requests of ${instanceId} could not be decided; the next pass tries again`,
      error,
    );
    return { kind: 'failed', message: messageOf(error) };
  }
}

/**
 * Finds the Node of an instance. A Node belongs to the instance only by its providerID, because its name may be that of an older
 * instance. A Node with the name of another instance does not count either, because a kubelet can claim any providerID. The likely names
 * are read from the API server at the same time. If none of them belongs to the instance, all nodes are listed; passes share this list.
 *
 * @returns the Node of the instance, and a Node with its name that does not belong to it.
 * @throws if a read fails, because that must not count as "no Node".
 */
export async function findNode(
  { cluster }: Pick<JoiningContext, 'cluster'>,
  instance: Pick<Ec2Instance, 'instanceId'> & Partial<Ec2Instance>,
): Promise<Pick<ClusterObserved, 'node' | 'namesake'>> {
  const belongs = (node: Node): boolean => isNodeOf(node, instance);
  const named = await Promise.all(likelyNodeNames(instance).map((name) => cluster.getNode(name)));
  const likely = named.filter((node) => node !== undefined);
  const own = likely.filter(belongs);
  const nodes = own.length > 0 ? own : (await cluster.listNodes()).filter(belongs);
  return { node: nodes.find(isNodeReady) ?? nodes[0], namesake: likely.find((node) => !belongs(node)) };
}
