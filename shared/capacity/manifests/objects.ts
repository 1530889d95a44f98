import { withoutNulls } from './clean.ts';
import type { ManifestDocument } from './documents.ts';
import { fieldOf, shown } from './issues.ts';
import { type KindMeaning, kustomization, meaningOfKind } from './kinds.ts';
import { quoted } from './names.ts';
import type { ManifestProblem } from './problem.ts';
import { whyBroken } from './templating.ts';

/** One object of the manifests, whose kind is known and whose fields are not checked yet. */
export interface ManifestObject {
  readonly file: string;
  readonly document: number;
  /** Its place in its document: empty unless it is in a list. */
  readonly path: readonly PropertyKey[];
  readonly apiVersion: string;
  readonly kind: string;
  readonly meaning: KindMeaning;
  readonly value: Readonly<Record<string, unknown>>;
  /** Its own text, to find templates in it: of an item of a list not that of the others. */
  readonly text: string;
}

/** The problem at a field of an object. A document with unrendered templates has that problem instead of what follows from it. */
export function problemAt(
  { file, document, path, text }: Pick<ManifestObject, 'file' | 'document' | 'path' | 'text'>,
  at: readonly PropertyKey[],
  message: string,
): ManifestProblem {
  const template = whyBroken(text);
  if (template !== undefined) return { file, document, message: template };
  const field = fieldOf([...path, ...at]);
  return { file, document, ...(field !== '' && { field }), message: `${message}${variableHint(message)}` };
}

/** A message that quotes a variable of a shell, which envsubst and the like replace. */
const variableHint = (message: string): string =>
  /\$\{?[A-Z_]/.test(message) ? ': the variable was not replaced (envsubst)' : '';

type Found = ManifestObject | ManifestProblem;

export const isObject = (found: Found): found is ManifestObject => 'value' in found;
export const isFoundProblem = (found: Found): found is ManifestProblem => !isObject(found);

/** The objects of a document, with those of lists. */
export const objectsOf = ({ value, ...place }: ManifestDocument): readonly Found[] => [
  ...objectsAt(withoutNulls(value), { ...place, path: [] }),
];

type Place = Omit<ManifestDocument, 'value'> & { readonly path: readonly PropertyKey[] };

function* objectsAt(value: unknown, place: Place, inherited?: Inherited): Iterable<Found> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return yield problemAt(
      place,
      [],
      'is not an object of Kubernetes, which is a map with apiVersion and kind',
    );
  const object = value as Readonly<Record<string, unknown>>;
  const { apiVersion = inherited?.apiVersion, kind = inherited?.kind } = object;
  const missing = whyNoObject(object, { apiVersion, kind, file: place.file });
  if (missing) return yield problemAt(place, missing.path, missing.message);
  const [version, name] = [String(apiVersion), String(kind)];
  const meaning = meaningOfKind(version, name);
  if (meaning.meaning === 'refused')
    return yield problemAt(place, name === 'Kustomization' ? [] : ['kind'], meaning.message);
  if (meaning.meaning === 'list') return yield* itemsOf(object, place, { apiVersion: version, kind: name });
  const text = place.path.length === 0 ? place.text : JSON.stringify(object);
  return yield { ...place, text, apiVersion: version, kind: name, meaning, value: object };
}

interface Inherited {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The items of a DeploymentList may have no kind of their own. */
function* itemsOf(
  { items = [] }: Readonly<Record<string, unknown>>,
  place: Place,
  { apiVersion, kind }: Inherited,
): Iterable<Found> {
  if (!Array.isArray(items)) return yield problemAt(place, ['items'], 'must be a list');
  const inherited = kind === 'List' ? undefined : { apiVersion, kind: kind.slice(0, -'List'.length) };
  for (const [index, item] of items.entries())
    yield* objectsAt(item, { ...place, text: '', path: [...place.path, 'items', index] }, inherited);
}

function whyNoObject(
  object: Readonly<Record<string, unknown>>,
  { apiVersion, kind, file }: { readonly apiVersion: unknown; readonly kind: unknown; readonly file: string },
): { readonly path: readonly PropertyKey[]; readonly message: string } | undefined {
  const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
  if (isText(apiVersion) && isText(kind)) return undefined;
  if (kind === undefined && /(?:^|\/)kustomization\.ya?ml$|(?:^|\/)Kustomization$/.test(file))
    return { path: [], message: kustomization };
  if (kind === undefined && typeof object.services === 'object')
    return { path: [], message: 'is a file of Docker Compose, not a manifest of Kubernetes' };
  const field = isText(kind) ? 'apiVersion' : 'kind';
  const found = field === 'kind' ? kind : apiVersion;
  if (found !== undefined) return { path: [field], message: `must be text, and is ${quoted(shown(found))}` };
  return { path: [field], message: 'is missing: each object of Kubernetes has apiVersion and kind' };
}
