/** What distinguishes an object of the state from its siblings in a list. */
const identifiers = ['uid', 'instanceId', 'number', 'name', 'autoScalingGroupName', 'queueName'];

type Fields = Readonly<Record<string, unknown>>;

/**
 * The next value. Each part that equals the same part of the previous value is that very part, so that views compare parts by
 * identity. Both are plain JSON. In lists, items with an identifier may have moved.
 */
export function share<Value>(previous: unknown, next: Value): Value {
  if (Object.is(previous, next) || !isObject(previous) || !isObject(next)) return next;
  if (Array.isArray(previous) !== Array.isArray(next)) return next;
  const shared = Array.isArray(next) ? shareList([previous].flat(), next) : shareFields(previous, next);
  return (isSame(previous, shared) ? previous : shared) as Value;
}

const shareFields = (previous: Fields, next: Fields): Fields =>
  Object.fromEntries(Object.entries(next).map(([name, part]) => [name, share(previous[name], part)]));

function shareList(previous: readonly unknown[], next: readonly unknown[]): readonly unknown[] {
  const former = new Map(previous.map((part, index) => [identityOf(part, index), part]));
  return next.map((part, index) => share(former.get(identityOf(part, index)), part));
}

function identityOf(part: unknown, index: number): unknown {
  if (!isObject(part)) return index;
  const identifier = identifiers.find((name) => name in part);
  return identifier === undefined ? index : `${identifier} ${String(part[identifier])}`;
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function isSame(one: Fields, other: object): boolean {
  const entries = Object.entries(other);
  return Object.keys(one).length === entries.length && entries.every(([name, part]) => one[name] === part);
}
