import type { DashboardState, InstanceView } from './types.ts';

/** A screen reader should not read more changes at once. */
const maximum = 3;

/** What has happened between two states, in sentences for a screen reader. */
export function announcements(previous: DashboardState, next: DashboardState): readonly string[] {
  const before = instancesOf(previous);
  const after = instancesOf(next);
  const said = [
    ...deadLetterNews(previous, next),
    ...[...after.values()].flatMap((instance) => instanceNews(before.get(instance.instanceId), instance)),
    ...[...before.keys()]
      .filter((instanceId) => !after.has(instanceId))
      .map((id) => `${id} has left its group`),
  ];
  return said.length <= maximum
    ? said
    : [...said.slice(0, maximum), `and ${said.length - maximum} more changes`];
}

const instancesOf = ({ groups }: DashboardState): ReadonlyMap<string, InstanceView> =>
  new Map(groups.flatMap(({ instances }) => instances).map((instance) => [instance.instanceId, instance]));

function instanceNews(before: InstanceView | undefined, after: InstanceView): readonly string[] {
  if (before === after) return [];
  const { instanceId, lifecycleState, node } = after;
  return [
    ...(before?.lifecycleState === lifecycleState ? [] : [`${instanceId} is ${lifecycleState}`]),
    ...(node?.leaving && !before?.node?.leaving ? [`${node.name} is drained`] : []),
  ];
}

function deadLetterNews(previous: DashboardState, next: DashboardState): readonly string[] {
  const former = new Map(previous.queues?.map((queue) => [queue.queueName, queue.visible]));
  return (next.queues ?? [])
    .filter(({ deadLetters, queueName, visible }) => deadLetters && visible > (former.get(queueName) ?? 0))
    .map(({ queueName }) => `A dead letter has come into ${queueName}`);
}
