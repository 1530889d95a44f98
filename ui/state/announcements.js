/**
 * @typedef {import('../../local/dashboard/state/state.ts').DashboardState} DashboardState
 * @typedef {import('../../local/dashboard/state/state.ts').InstanceView} InstanceView
 */

/** A screen reader should not read more changes at once. */
const maximum = 3;

/**
 * What has happened between two states, in sentences for a screen reader.
 *
 * @param {DashboardState} previous
 * @param {DashboardState} next
 * @returns {readonly string[]}
 */
export function announcements(previous, next) {
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

/** @param {DashboardState} state */
const instancesOf = ({ groups }) =>
  new Map(groups.flatMap(({ instances }) => instances).map((instance) => [instance.instanceId, instance]));

/**
 * @param {InstanceView | undefined} before
 * @param {InstanceView} after
 */
function instanceNews(before, after) {
  if (before === after) return [];
  const { instanceId, lifecycleState, node } = after;
  const moved = before?.lifecycleState !== lifecycleState && `${instanceId} is ${lifecycleState}`;
  const drains = node?.leaving && !before?.node?.leaving && `${node.name} is drained`;
  return [moved, drains].filter((news) => typeof news === 'string');
}

/**
 * @param {DashboardState} previous
 * @param {DashboardState} next
 */
function deadLetterNews(previous, next) {
  const former = new Map(previous.queues.map((queue) => [queue.queueName, queue.visible]));
  return next.queues
    .filter(({ deadLetters, queueName, visible }) => deadLetters && visible > (former.get(queueName) ?? 0))
    .map(({ queueName }) => `A dead letter has come into ${queueName}`);
}
