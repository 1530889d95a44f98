import { readLeavingMark } from '../../../../shared/nodes/leaving-mark.ts';
import { isKubeletSilent } from '../../../../shared/nodes/node-condition.ts';
import { instanceIdOf } from '../../../../shared/nodes/node-names.ts';
import { residentOf, time } from './facts.ts';
import type { Rule, View } from './rule.ts';

/** Two sweeps, and the time for which an instance must be missing. */
const saidMilliseconds = 1_200_000;
const said = new WeakMap<View['census'], Set<string>>();

export const unknownNodesKept: Rule = {
  name: 'unknown-nodes-kept',
  sentence:
    'A Node whose kubelet reports is neither drained nor deleted because neither Auto Scaling nor EC2 knows its instance, and a pass says so within minutes.',
  onCall: (call, view) => {
    const destroys = call.kind === 'evict' || call.kind === 'delete-pod' || call.kind === 'delete-node';
    const resident = destroys ? residentOf(view, call) : undefined;
    if (!resident || !isUnknown(resident.instanceId, view)) return undefined;
    const node = view.world.kubernetes.store.of('nodes').get(undefined, resident.nodeName ?? '');
    return node === undefined || isKubeletSilent(node)
      ? undefined
      : `${call.what}: its kubelet reports, and EC2 does not know ${resident.instanceId}`;
  },
  onLine: ({ message, subject, reason }, { census }) => {
    if (message === 'pass' && /knows the instance, but its kubelet reports/.test(String(reason)))
      said.set(census, (said.get(census) ?? new Set()).add(String(subject)));
    return undefined;
  },
  onMoment: (view) => {
    for (const node of view.world.kubernetes.store.of('nodes').list()) {
      const instanceId = instanceIdOf(node.spec?.providerID) ?? '';
      // An instance that EC2 once knew is forgotten an hour after its end. Nothing shows that a Node without a mark was managed.
      const wasKnown = view.census.find(instanceId)?.runningAt !== undefined;
      if (wasKnown || readLeavingMark(node.metadata.annotations) === undefined) continue;
      const since = Date.parse(node.metadata.creationTimestamp ?? '');
      if (view.now - since < saidMilliseconds || !isUnknown(instanceId, view)) continue;
      if (view.spellsSince(since).length > 0 || said.get(view.census)?.has(instanceId)) continue;
      return `no pass has said since ${time(since)} that neither Auto Scaling nor EC2 knows ${instanceId}`;
    }
    return undefined;
  },
};

const isUnknown = (instanceId: string, { world }: View): boolean =>
  world.account.ec2.instances.find(instanceId) === undefined;
