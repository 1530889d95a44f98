/** What tells an object of the state from its siblings in a list. */
const identifiers = ['uid', 'instanceId', 'number', 'name', 'autoScalingGroupName', 'queueName'];

/**
 * The next value, with every part of it that equals the same part of the previous one replaced by that very part: then what
 * has changed can be told by identity. Both are plain JSON. In lists, what has an identifier may have moved.
 *
 * @template Value
 * @param {unknown} previous
 * @param {Value} next
 * @returns {Value}
 */
export function share(previous, next) {
  if (Object.is(previous, next) || !isObject(previous) || !isObject(next)) return next;
  if (Array.isArray(previous) !== Array.isArray(next)) return next;
  const shared = Array.isArray(next) ? shareList([previous].flat(), next) : shareFields(previous, next);
  return /** @type {Value} */ (isSame(previous, shared) ? previous : shared);
}

/**
 * @param {Record<string, unknown>} previous
 * @param {Record<string, unknown>} next
 */
const shareFields = (previous, next) =>
  Object.fromEntries(Object.entries(next).map(([name, part]) => [name, share(previous[name], part)]));

/**
 * @param {readonly unknown[]} previous
 * @param {readonly unknown[]} next
 */
function shareList(previous, next) {
  const former = new Map(previous.map((part, index) => [identityOf(part, index), part]));
  return next.map((part, index) => share(former.get(identityOf(part, index)), part));
}

/**
 * @param {unknown} part
 * @param {number} index
 */
function identityOf(part, index) {
  if (!isObject(part)) return index;
  const identifier = identifiers.find((name) => name in part);
  return identifier === undefined ? index : `${identifier} ${String(part[identifier])}`;
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === 'object' && value !== null;

/**
 * @param {Record<string, unknown>} one
 * @param {object} other
 */
function isSame(one, other) {
  const entries = Object.entries(other);
  return Object.keys(one).length === entries.length && entries.every(([name, part]) => one[name] === part);
}
