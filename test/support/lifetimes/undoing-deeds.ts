import { clusterName, type DroverWorld, membersOf } from '../../../local/world/drover-world.ts';
import { request } from '../../../local/world/workloads.ts';
import { formatLeavingMark, type LeavingMark, readLeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import {
  excludeFromLoadBalancersLabel,
  leavingAnnotation,
  leavingLabel,
} from '../../../shared/nodes/node-keys.ts';
import { instanceIdOf } from '../../../shared/nodes/node-names.ts';
import type { Scene } from './live-history.ts';
import type { MarkEdit, Step } from './plan/history.ts';

/** One of the Nodes of managed groups that have a mark. */
function markedNode({ world, groups }: Scene, { which }: Step) {
  const members = new Set(
    groups
      .filter(({ managed }) => managed)
      .flatMap(({ autoScalingGroupName }) => membersOf(world, autoScalingGroupName))
      .map(({ InstanceId = '' }) => InstanceId),
  );
  const marked = world.kubernetes.store
    .of('nodes')
    .list()
    .filter(({ metadata }) => metadata.annotations?.[leavingAnnotation] !== undefined)
    .filter(({ spec }) => members.has(instanceIdOf(spec?.providerID) ?? ''))
    .toSorted((one, other) => one.metadata.name.localeCompare(other.metadata.name));
  return marked[Math.floor(which * marked.length)];
}

type Node = NonNullable<ReturnType<typeof markedNode>>;

const without = (entries: Readonly<Record<string, string>> | undefined, ...keys: readonly string[]) =>
  Object.fromEntries(Object.entries(entries ?? {}).filter(([key]) => !keys.includes(key)));

const edit = ({ kubernetes }: DroverWorld, node: Node, change: (found: Node) => Node): void =>
  void kubernetes.registry.update('nodes', node, change);

/** What `kubectl uncordon` and an operator of load balancers do. */
export function uncordonMarked(scene: Scene, step: Step): void {
  const node = markedNode(scene, step);
  if (!node) return;
  scene.record(`HISTORY ${node.metadata.name} is uncordoned`);
  scene.census.markedNodeUncordoned(node.metadata.name);
  edit(scene.world, node, (found) => {
    const { unschedulable: _, ...spec } = found.spec ?? {};
    const labels = without(found.metadata.labels, excludeFromLoadBalancersLabel);
    return { ...found, spec, metadata: { ...found.metadata, labels } };
  });
}

export function editMark(scene: Scene, step: Extract<Step, { readonly kind: 'edit-mark' }>): void {
  const node = markedNode(scene, step);
  if (!node) return;
  scene.record(`HISTORY the mark of ${node.metadata.name} is edited: ${step.how}`);
  const mark = readLeavingMark(node.metadata.annotations);
  const change = changeOf(step.how, scene.world.clock.now());
  scene.census.markEdited(node.metadata.name, change.since);
  edit(scene.world, node, (found) => {
    const { annotations, labels, ...metadata } = found.metadata;
    const edited =
      step.how === 'remove'
        ? {
            annotations: without(annotations, leavingAnnotation),
            labels: without(labels, leavingLabel),
          }
        : {
            annotations: {
              ...annotations,
              [leavingAnnotation]:
                step.how === 'garble' || !mark
                  ? '{"cause":"because"}'
                  : formatLeavingMark({ ...mark, ...change }),
            },
            labels: labels ?? {},
          };
    return { ...found, metadata: { ...metadata, ...edited } };
  });
}

/** What an edit puts into a mark. Nothing for one after which there is no mark. */
function changeOf(how: MarkEdit, now: number): Partial<LeavingMark> {
  const at = (seconds: number): string => new Date(now + seconds * 1000).toISOString();
  const year = 31_536_000;
  switch (how) {
    case 'remove':
    case 'garble':
      return {};
    case 'begins-earlier':
      return { since: at(-3600) };
    case 'begins-now':
      return { since: at(0) };
    case 'begins-later':
      return { since: at(year) };
    case 'ends-earlier':
      return { until: at(-600) };
    case 'ends-later':
      return { until: at(year) };
    case 'renewed-later':
      return { renewedAt: at(year) };
    case 'other-instance':
      return { instanceId: 'i-0123456789abcdef0' };
  }
}

/** The claim of a volume was deleted by force, and nothing detaches the volume (kubernetes-sigs/karpenter#2169). */
export async function leaveVolume({ world, census }: Scene, _step: Step, instanceId: string): Promise<void> {
  const nodeName = census.find(instanceId)?.nodeName;
  if (nodeName === undefined) return;
  await request(world, 'POST', '/apis/storage.k8s.io/v1/volumeattachments', {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name: `left-${instanceId}`, finalizers: ['external-attacher/ebs-csi-aws-com'] },
    spec: { attacher: 'ebs.csi.aws.com', nodeName, source: { persistentVolumeName: 'pv-of-nothing' } },
  });
  await request(world, 'PATCH', `/api/v1/nodes/${nodeName}/status`, {
    status: { volumesAttached: [{ name: 'kubernetes.io/csi/ebs.csi.aws.com^vol-1', devicePath: '' }] },
  });
}

export function loseTag(
  { world, record }: Scene,
  { autoScalingGroupName, tag, seconds }: Extract<Step, { readonly kind: 'lose-tag' }>,
): void {
  const { operations } = world.account.autoScaling;
  const Key = tag === 'cluster' ? `kubernetes.io/cluster/${clusterName}` : 'drover.dev/role';
  const tags = operations.DescribeTags({
    Filters: [{ Name: 'auto-scaling-group', Values: [autoScalingGroupName] }],
  }).Tags;
  const lost = tags?.find((one) => one.Key === Key);
  if (!lost) return;
  const Tags = [{ ...lost, Key }];
  operations.DeleteTags({ Tags });
  world.clock.after(seconds * 1000, () => {
    record(`HISTORY the tag ${Key} of ${autoScalingGroupName} is back`);
    operations.CreateOrUpdateTags({ Tags });
  });
}
