import type { PlanGroup } from '../../shared/capacity/plan/new-node.ts';
import { insufficient, reasons } from '../../shared/capacity/plan/reasons.ts';
import type { GroupRefusal } from '../../shared/capacity/plan/refusals.ts';
import { toleratesTaints } from '../../shared/capacity/plan/taints.ts';
import type { PlannedPod } from '../../shared/capacity/plan/types.ts';
import type { AutoScalingGroup } from '../../shared/groups/group.ts';

interface RefusalContext {
  readonly refusal: GroupRefusal;
  readonly group: PlanGroup;
  readonly asg?: AutoScalingGroup;
}

/** Why a group launches no node for a pod, and what to do about it. */
export function refusalText(pod: PlannedPod, { refusal, group, asg }: RefusalContext): string {
  switch (refusal.kind) {
    case 'at-bounds':
      return atBoundsText(group, asg);
    case 'no-zone-promised':
      return `its next node would take it in some of its zones${zonesIn(asg)}, and Auto Scaling chooses the zone: split the group into one for each zone (docs/group-layout.md)`;
    case 'refuses':
      return `its nodes refuse it: ${refusal.reasons.map((reason) => reasonText(reason, pod, group)).join(', ')}`;
    default:
      return refusal satisfies never;
  }
}

/** People who read "it would not fit" make the pod smaller, although only the bounds are in the way (kubernetes/autoscaler#1607). */
function atBoundsText({ mostNewNodes }: PlanGroup, asg: AutoScalingGroup | undefined): string {
  const most = mostNewNodes === 0 ? 'no node more' : `only ${mostNewNodes} more`;
  const maxSize = asg === undefined ? 'MaxSize' : `MaxSize (${asg.maxSize})`;
  return `its next node would take it, but ${maxSize} allows ${most}: raise MaxSize`;
}

const zonesIn = (asg: AutoScalingGroup | undefined): string =>
  asg?.availabilityZones === undefined ? '' : ` (${asg.availabilityZones.join(', ')})`;

/** A reason with the numbers or names that the scheduler leaves out. */
function reasonText(reason: string, pod: PlannedPod, { template: { node, pods } }: PlanGroup): string {
  if (reason === reasons.taint) {
    const [taint] = node.taints.filter((one) => !toleratesTaints(pod.tolerations, [one]));
    return taint ? `${reason} (${taint.key}${taint.value ? `=${taint.value}` : ''}:${taint.effect})` : reason;
  }
  if (reason === reasons.nodeAffinity) {
    const missing = Object.entries(pod.nodeSelector).filter(([key, value]) =>
      node.labelSets.some((labels) => labels[key] !== value),
    );
    return missing.length === 0
      ? reason
      : `${reason} (${missing.map(([key, value]) => `${key}=${value}`).join(', ')})`;
  }
  const resource = [...pod.requests.keys()].find((name) => insufficient(name) === reason);
  if (resource === undefined) return reason;
  const taken = pods.reduce((sum, { requests }) => sum + (requests.get(resource) ?? 0), 0);
  const free = Math.max(0, (node.allocatable.get(resource) ?? 0) - taken);
  return `${reason} (it asks for ${amountText(resource, pod.requests.get(resource) ?? 0)}, an empty node has ${amountText(resource, free)})`;
}

const units = [
  ['Gi', 2 ** 30],
  ['Mi', 2 ** 20],
  ['Ki', 2 ** 10],
] as const;

const isInBytes = (resource: string): boolean =>
  resource === 'memory' || resource === 'ephemeral-storage' || resource.startsWith('hugepages-');

/** An amount in the scheduler's units as a quantity with its resource: `500m cpu`, `1.5Gi memory`, `1 nvidia.com/gpu`. */
export function amountText(resource: string, amount: number): string {
  if (resource === 'cpu') return `${amount % 1000 === 0 ? amount / 1000 : `${amount}m`} cpu`;
  if (!isInBytes(resource)) return `${amount} ${resource}`;
  const [unit, size] = units.find(([, bytes]) => amount >= bytes) ?? ['', 1];
  // Rounded down: what is free is never shown as more than it is.
  return `${Math.floor((amount / size) * 10) / 10}${unit} ${resource}`;
}
