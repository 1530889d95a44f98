import { clusterName, type DroverWorld, membersOf } from '../../../local/world/drover-world.ts';
import {
  excludeFromLoadBalancersLabel,
  leavingAnnotation,
  leavingLabel,
} from '../../../shared/nodes/node-keys.ts';
import { instanceIdOf } from '../../../shared/nodes/node-names.ts';
import type { Scene } from './live-history.ts';
import type { Step } from './plan/history.ts';

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
  edit(scene.world, node, (found) => {
    const { annotations, labels, ...metadata } = found.metadata;
    const edited =
      step.how === 'remove'
        ? {
            annotations: without(annotations, leavingAnnotation),
            labels: without(labels, leavingLabel),
          }
        : {
            annotations: { ...annotations, [leavingAnnotation]: '{"cause":"because"}' },
            labels: labels ?? {},
          };
    return { ...found, metadata: { ...metadata, ...edited } };
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
