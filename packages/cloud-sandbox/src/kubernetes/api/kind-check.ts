import { apiVersionOf, type ResourceDefinition } from '../resources/definition.ts';
import { definitions } from '../resources/definitions.ts';
import { virtualResources } from '../resources/virtual.ts';
import type { KubernetesObject } from '../store/object.ts';
import { badRequest } from './errors.ts';

type Wanted = Pick<ResourceDefinition, 'group' | 'version' | 'kind'>;

const known = new Set([...definitions, ...virtualResources].map((one) => `${apiVersionOf(one)} ${one.kind}`));

/** Throws 400 for an object of another kind than the path. An object without a kind has the kind of the path. */
export function checkKind(wanted: Wanted, { kind = '', apiVersion = '' }: KubernetesObject): void {
  const given = { kind: kind || wanted.kind, apiVersion: apiVersion || apiVersionOf(wanted) };
  if (given.kind === wanted.kind && given.apiVersion === apiVersionOf(wanted)) return;
  throw badRequest(wordsOf(wanted, given));
}

function wordsOf(
  wanted: Wanted,
  { kind, apiVersion }: { readonly kind: string; readonly apiVersion: string },
) {
  const version = apiVersion.split('/').at(-1) ?? '';
  if (!known.has(`${apiVersion} ${kind}`))
    return `${wanted.kind} in version "${wanted.version}" cannot be handled as a ${wanted.kind}: no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:110"`;
  const what = `converting (${version}.${kind}) to (${packageOf(wanted.group)}.${wanted.kind})`;
  return `${kind} in version "${version}" cannot be handled as a ${wanted.kind}: ${what}: unknown conversion`;
}

/** Go's package of a group: `core`, `policy`, `coordination`. */
const packageOf = (group: string): string => (group === '' ? 'core' : (group.split('.')[0] ?? ''));
