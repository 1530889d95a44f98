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

/** A loop: with the entries of each pod of a thousand nodes, lists of entries take most of an update. */
function shareFields(previous: Fields, next: Fields): Fields {
  const shared: Record<string, unknown> = {};
  for (const name of Object.keys(next)) shared[name] = share(previous[name], next[name]);
  return shared;
}

function shareList(previous: readonly unknown[], next: readonly unknown[]): readonly unknown[] {
  const inPlace = next.every((part, index) => identityOf(part, index) === identityOf(previous[index], index));
  if (inPlace) return next.map((part, index) => share(previous[index], part));
  const former = new Map(previous.map((part, index) => [identityOf(part, index), part]));
  return next.map((part, index) => share(former.get(identityOf(part, index)), part));
}

function identityOf(part: unknown, index: number): unknown {
  if (!isObject(part)) return index;
  for (const name of identifiers) if (name in part) return part[name];
  return index;
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function isSame(one: Fields, other: object): boolean {
  const names = Object.keys(other);
  const parts = other as Fields;
  return Object.keys(one).length === names.length && names.every((name) => one[name] === parts[name]);
}
