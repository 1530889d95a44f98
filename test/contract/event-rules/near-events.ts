import { isRecord, type Json, type JsonRecord } from '@drover/cloud-sandbox/aws';

type Path = readonly string[];

/** Every field of an event that holds a value or a list, by the names that lead there. */
const fieldsOf = (value: JsonRecord, path: Path = []): readonly Path[] =>
  Object.entries(value).flatMap(([name, inner]) =>
    isRecord(inner) ? [[...path, name], ...fieldsOf(inner, [...path, name])] : [[...path, name]],
  );

/** The event with another value in a field; undefined takes the field away. */
function withField(
  event: JsonRecord,
  [name = '', ...deeper]: Path,
  change: (value: Json) => Json | undefined,
): JsonRecord {
  const inner = event[name] ?? null;
  const changed: Json | undefined =
    deeper.length > 0 && isRecord(inner) ? withField(inner, deeper, change) : change(inner);
  const { [name]: _, ...others } = event;
  return changed === undefined ? others : { ...others, [name]: changed };
}

const changes: readonly ((value: Json) => Json | undefined)[] = [
  () => undefined,
  () => null,
  () => 5,
  () => '',
  (value) => [value],
  (value) => ['other', [value]],
  (value) => [{ other: value }, value],
  (value) => ({ value }),
  ofText((text) => `${text}x`),
  ofText((text) => `x${text}`),
  ofText((text) => text.slice(0, -1)),
  ofText((text) => text.slice(0, 7)),
  ofText((text) => text.toUpperCase()),
  ofText((text) => text.toLowerCase()),
  ofText((text) => text.replace(/[-.]/, '')),
  ofText((text) => `${text}\n`),
];

function ofText(change: (text: string) => string): (value: Json) => Json {
  return (value) => (typeof value === 'string' ? change(value) : value);
}

/** Variants of an event, each with another value in one of the fields for which `isAskedFor` is true. */
export const nearMisses = (event: JsonRecord, isAskedFor: (path: string) => boolean): readonly JsonRecord[] =>
  fieldsOf(event)
    .filter((path) => isAskedFor(path.join('.')))
    .flatMap((path) => changes.map((change) => withField(event, path, change)));

/** The fields that a pattern asks about, and the objects that contain them. */
export const askedFields = (pattern: JsonRecord): ReadonlySet<string> =>
  new Set(fieldsOf(pattern).map((path) => path.join('.')));
