import { applyPatch } from '../patch/apply.ts';
import { jsonPatch } from '../patch/json-patch.ts';
import { mergePatch } from '../patch/merge-patch.ts';
import { strategicMergePatch } from '../patch/strategic.ts';
import type { Context, WriteOptions } from '../registry/context.ts';
import { createObject } from '../registry/create.ts';
import { updateObject } from '../registry/update.ts';
import { apiVersionOf, resourceKey } from '../resources/definition.ts';
import type { KubernetesObject } from '../store/object.ts';
import { parseObject } from './body.ts';
import { badRequest, conflict, notFound, unexplained, unsupportedPatchType } from './errors.ts';
import { checkKind } from './kind-check.ts';
import { checkUnknown, withKnownFields } from './known-fields.ts';
import type { Item, Selection } from './list.ts';
import { type PatchType, parsePatch, patchTypes } from './patch-body.ts';
import { asPatchFault } from './patch-faults.ts';
import { inNamespace } from './request-object.ts';
import { checkShape } from './shapes.ts';

export interface PatchRequest {
  readonly selection: Selection & { readonly name: string };
  readonly subresource: string | undefined;
  readonly body: string | undefined;
  readonly contentType: string;
  readonly options: WriteOptions;
}

interface Patched {
  readonly status: number;
  readonly object: Item;
  readonly warning?: string | undefined;
}

/** Patches an object, or creates it where a server-side apply names one that is not there. Throws 404, 409, 415, 422. */
export function patchObject(context: Context, request: PatchRequest): Patched {
  const { selection, contentType } = request;
  const { definition, namespace, name } = selection;
  const type = contentType.split(';')[0]?.trim() ?? '';
  if (!patchTypes.includes(type as PatchType)) throw unsupportedPatchType();
  const patch = parsePatch(type as PatchType, request.body ?? '');
  const previous = context.store.find(resourceKey(definition))?.get(namespace, name);
  if (type === 'application/apply-patch+yaml') return apply(context, { request, previous, patch });
  if (previous === undefined) throw notFound(definition, name);
  return update(context, request, { previous, next: patched(type, previous, patch) });
}

interface Applying {
  readonly request: PatchRequest;
  readonly previous: Item | undefined;
  readonly patch: unknown;
}

function apply(context: Context, { request, previous, patch }: Applying): Patched {
  const { selection, options, subresource } = request;
  const { definition, namespace, name } = selection;
  const wanted = inNamespace(parseObject(patch, definition), namespace);
  const given = wanted.metadata?.name ?? name;
  if (given !== name)
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
  const { warnings } = withKnownFields(definition, wanted);
  if (warnings.length > 0) throw undeclared(request, warnings);
  const next = applyPatch({
    current: previous,
    patch: wanted,
    manager: options.fieldManager ?? '',
    force: selection.query.get('force') === 'true',
    now: context.clock.now(),
  });
  if (previous !== undefined) return update(context, request, { previous, next });
  if (subresource !== undefined) throw notFound(definition, name);
  const { uid } = wanted.metadata ?? {};
  if (uid !== undefined)
    throw conflict(
      definition,
      name,
      `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
    );
  checkShape(definition, next);
  const metadata = { ...next.metadata, name, ...(namespace !== undefined && { namespace }) };
  return { status: 201, object: createObject(context, definition, { ...next, metadata }, options) };
}

function undeclared({ selection: { definition, name } }: PatchRequest, warnings: readonly string[]) {
  const field = /"(.+)"/.exec(warnings[0] ?? '')?.[1] ?? '';
  const what = `${apiVersionOf(definition)}, Kind=${definition.kind}`;
  return unexplained(
    `failed to create typed patch object (/${name}; ${definition.group === '' ? '/' : ''}${what}): .${field}: field not declared in schema`,
  );
}

interface Change {
  readonly previous: Item;
  readonly next: unknown;
}

function update(context: Context, request: PatchRequest, { previous, next }: Change): Patched {
  const { selection, options, subresource } = request;
  const { definition, namespace, query } = selection;
  const { object, warning } = asPatchFault(definition, previous.metadata.name, () => {
    const parsed = parseObject(next, definition);
    checkKind(definition, parsed);
    const known = withKnownFields(definition, parsed);
    checkShape(definition, known.object);
    return {
      object: known.object,
      warning: checkUnknown(definition, known.warnings, query.get('fieldValidation')),
    };
  });
  const whole: KubernetesObject = inNamespace(object, namespace);
  const parts = { definition, previous, next: whole, options, isPatch: true };
  const stored = updateObject(context, { ...parts, ...(subresource !== undefined && { subresource }) });
  return { status: 200, object: stored, warning };
}

function patched(type: string, previous: Item, patch: unknown): unknown {
  if (type === 'application/json-patch+json') return jsonPatch(previous, patch);
  return type === 'application/merge-patch+json'
    ? mergePatch(previous, patch)
    : strategicMergePatch(previous, patch);
}
