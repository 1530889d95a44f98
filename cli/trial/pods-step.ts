import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import { isReady } from '../../shared/draining/pod-facts.ts';
import { isEmpty } from '../../shared/giving-back/candidates.ts';
import { nameOfNode } from '../../shared/nodes/node-names.ts';
import type { TrialAccess } from './access.ts';
import { podCount } from './objects.ts';
import { trialNamespace } from './record.ts';
import type { Trial } from './trial-state.ts';
import { persist, until, type Verdict, type WaitContext } from './wait.ts';

const podSeconds = 300;

/** Starts two pods on the node, and then lets new ones go anywhere. */
export async function startPods(
  { access: { trials } }: Trial,
  node: Node,
  context: WaitContext,
): Promise<{ readonly reason: string }> {
  await persist(() => trials.pin(node), context);
  await until(
    {
      withinSeconds: podSeconds,
      look: async () => {
        const [pods, whyNone] = await Promise.all([trials.pods(), trials.whyNoPods()]);
        return { pods, whyNone };
      },
      judge: judgePods,
      advice: () =>
        `--image names another image; kubectl describe pods --namespace ${trialNamespace} shows more`,
    },
    context,
  );
  await persist(() => trials.unpin(), context);
  return { reason: `${podCount} pods run on ${nameOfNode(node)}, and a budget lets one go at a time` };
}

/** Whether the pods have started, or why one has not. Pure. */
export function judgePods({
  pods,
  whyNone,
}: {
  readonly pods: readonly Pod[];
  readonly whyNone: string | undefined;
}): Verdict<true> {
  const ready = pods.filter(isReady).length;
  if (ready >= podCount) return { done: true };
  const [why] = [...(whyNone === undefined ? [] : [whyNone]), ...pods.flatMap(whyNot)];
  return {
    waits: [`${ready} of ${podCount} pods are Ready`, ...(why === undefined ? [] : [why])].join(': '),
  };
}

/** Of a pod that is not scheduled, or whose container does not start. */
function whyNot({ status }: Pod): readonly string[] {
  const unscheduled = status?.conditions?.find(
    ({ type, status: is }) => type === 'PodScheduled' && is === 'False',
  );
  const states = (status?.containerStatuses ?? []).flatMap(
    ({ state }) => state?.waiting ?? state?.terminated ?? [],
  );
  return [
    ...(unscheduled?.message ? [unscheduled.message] : []),
    ...states.map(({ reason = 'it waits', message }) => (message ? `${reason}: ${message}` : reason)),
  ];
}

/** The other pods on the node: neither of the trial nor of a DaemonSet, and not finished, as `namespace/name`. */
export async function othersOn(
  { nodes }: Pick<TrialAccess, 'nodes'>,
  nodeName: string,
): Promise<readonly string[]> {
  const pods = await nodes.listPodsOnNode(nodeName, 'consistent');
  return pods
    .filter((pod) => pod.metadata?.namespace !== trialNamespace && !isEmpty([pod]))
    .map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`);
}
