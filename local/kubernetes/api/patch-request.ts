import { applyPatch } from '../patch/apply.ts';
import { jsonPatch } from '../patch/json-patch.ts';
import { mergePatch } from '../patch/merge-patch.ts';
import { strategicMergePatch } from '../patch/strategic.ts';
import type { Context, WriteOptions } from '../registry/context.ts';
import { createObject } from '../registry/create.ts';
import { updateObject } from '../registry/update.ts';
import { resourceKey } from '../resources/definition.ts';
import { parseBody, parseObject } from './body.ts';
import { notFound, unsupportedMediaType } from './errors.ts';
import type { Item, Selection } from './list.ts';
import { checkShape } from './shapes.ts';

const types = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];

export interface PatchRequest {
  readonly selection: Selection & { readonly name: string };
  readonly subresource: string | undefined;
  readonly body: string | undefined;
  readonly contentType: string;
  readonly options: WriteOptions;
}

/** Patches an object, or creates it where a server-side apply names one that is not there. Throws 404, 409, 415, 422. */
export function patchObject(context: Context, request: PatchRequest): { status: number; object: Item } {
  const { selection, contentType, options, subresource } = request;
  const { definition, namespace, name } = selection;
  const type = contentType.split(';')[0]?.trim() ?? '';
  if (!types.includes(type)) throw unsupportedMediaType(types);
  const patch = parseBody(request.body, type.includes('yaml') ? 'application/yaml' : 'application/json');
  const previous = context.store.find(resourceKey(definition))?.get(namespace, name);
  const applying = type === 'application/apply-patch+yaml';
  if (previous === undefined && (!applying || subresource !== undefined)) throw notFound(definition, name);
  const applied = applying
    ? applyPatch({
        current: previous,
        patch: parseObject(patch),
        manager: options.fieldManager ?? '',
        force: selection.query.get('force') === 'true',
        now: context.clock.now(),
      })
    : undefined;
  if (applied !== undefined) checkShape(definition, applied);
  if (previous === undefined) {
    const metadata = { ...applied?.metadata, name, ...(namespace !== undefined && { namespace }) };
    return { status: 201, object: createObject(context, definition, { ...applied, metadata }, options) };
  }
  const next = applied ?? parseObject(patched(type, previous, patch));
  checkShape(definition, next);
  const update = { definition, previous, next, options, ...(subresource !== undefined && { subresource }) };
  return { status: 200, object: updateObject(context, update) };
}

function patched(type: string, previous: Item, patch: unknown): unknown {
  if (type === 'application/json-patch+json') return jsonPatch(previous, patch);
  return type === 'application/merge-patch+json'
    ? mergePatch(previous, patch)
    : strategicMergePatch(previous, patch);
}
