import { messageOf } from '../../base/message-of.ts';
import type { JoiningContext } from '../context.ts';
import { findNode } from '../find-node.ts';
import type { ClusterObserved, Joining, OwnRequests } from '../state.ts';

/**
 * Decides the certificate requests of the instance, and finds its Node. Both at once: on a slow API server a pass has time for three or
 * four answers, one after another. The Node of a certificate that is approved now is found by the next pass.
 */
export async function observeCluster(context: JoiningContext, state: Joining): Promise<ClusterObserved> {
  if (state.toWarmPool) return { requests: { kind: 'off' }, node: undefined, namesake: undefined };
  const { instanceId } = state.instance;
  const deciding = decideOwnRequests(context, state);
  // Nothing may be written after the pass has ended, so a look-up that fails waits for the decisions.
  const [found] = await Promise.allSettled([findNode(context, { instanceId, ...state.ec2 }), deciding]);
  if (found.status === 'rejected') throw found.reason;
  return { requests: await deciding, ...found.value };
}

/** Requests that could not be decided keep no Node from serving that is Ready without them: certificate-requests tries again too. */
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
      `the certificate requests of ${instanceId} could not be decided; they are tried again`,
      error,
    );
    return { kind: 'failed', message: messageOf(error) };
  }
}
