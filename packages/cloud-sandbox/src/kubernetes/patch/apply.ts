import type { ManagedFieldsEntry } from 'kubernetes-types/meta/v1.d.ts';
import { badRequest } from '../api/errors.ts';
import { type KubernetesObject, type Stored, timestamp } from '../store/object.ts';
import { applyConflict } from './apply-conflict.ts';
import { removePath, valueAt } from './field-access.ts';
import { type FieldPath, fieldsOf, isCovered, pathText } from './fields.ts';
import { isObject } from './json.ts';
import { strategicMergePatch } from './strategic.ts';

export interface Apply {
  readonly current: Stored<KubernetesObject> | undefined;
  readonly patch: KubernetesObject;
  readonly manager: string;
  readonly force: boolean;
  readonly now: number;
}

/**
 * Server-side apply: what the manager says is merged in; what it said before and says no more is removed, unless another
 * applier says it. Only appliers are tracked: fields written by other requests have no owner here, so taking them over is
 * never a conflict. Throws 409 with the fields that another applier holds at another value.
 */
export function applyPatch({ current, patch, manager, force, now }: Apply): KubernetesObject {
  checkApplied(patch);
  const wanted = patch;
  const mine = fieldsOf(wanted);
  const entries = (current?.metadata.managedFields ?? []).filter(({ operation }) => operation === 'Apply');
  const others = entries.filter((entry) => entry.manager !== manager);
  const contested =
    current === undefined ? [] : others.flatMap((entry) => differing(entry, mine, { current, wanted }));
  if (contested.length > 0 && !force) throw applyConflict(contested);
  const before = entries.find((entry) => entry.manager === manager);
  const kept = withoutDropped(current ?? {}, before, { wanted, mine, others });
  const merged = strategicMergePatch(kept, wanted) as KubernetesObject;
  const managedFields = [
    ...others.map((entry) => without(entry, force ? mine : [])),
    entryOf(patch, manager, { mine, now }),
  ];
  return { ...merged, metadata: { ...merged.metadata, managedFields } };
}

/** Throws 400 for a configuration without kind or apiVersion, or with managedFields. */
function checkApplied({ kind = '', apiVersion = '', metadata }: KubernetesObject): void {
  if (kind === '' || apiVersion === '')
    throw badRequest(
      `invalid object type: ${apiVersion.includes('/') ? '' : '/'}${apiVersion}, Kind=${kind}`,
    );
  if (metadata?.managedFields !== undefined) throw badRequest('metadata.managedFields must be nil');
}

interface Versions {
  readonly current: object;
  readonly wanted: object;
}

function differing(entry: ManagedFieldsEntry, mine: readonly FieldPath[], { current, wanted }: Versions) {
  const theirs = new Set(pathsOf(entry).map(String));
  return mine
    .filter((path) => theirs.has(String(path)) && !isItem(path) && !isEmpty(valueAt(wanted, path)))
    .filter((path) => JSON.stringify(valueAt(current, path)) !== JSON.stringify(valueAt(wanted, path)))
    .map((path) => ({ manager: entry.manager ?? '', field: `.${pathText(path)}` }));
}

/** That an item of a list is there is no value that two could see differently. */
const isItem = (path: FieldPath): boolean => path.at(-1)?.startsWith('k:') === true;

/** Nor is an empty map, which says nothing of what is in it. */
const isEmpty = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

function pathsOf({ fieldsV1 }: ManagedFieldsEntry): readonly FieldPath[] {
  return readFields(fieldsV1 ?? {});
}

function readFields(fields: object, prefix: FieldPath = []): readonly FieldPath[] {
  return Object.entries(fields).flatMap(([key, value]) => {
    if (key === '.') return [prefix];
    const path = [...prefix, key];
    const deeper = typeof value === 'object' && value !== null ? readFields(value, path) : [];
    return deeper.length === 0 ? [path] : deeper;
  });
}

interface Claims {
  readonly wanted: object;
  readonly mine: readonly FieldPath[];
  readonly others: readonly ManagedFieldsEntry[];
}

function withoutDropped(
  current: KubernetesObject,
  before: ManagedFieldsEntry | undefined,
  { wanted, mine, others }: Claims,
): KubernetesObject {
  if (before === undefined) return current;
  const said = mine.filter((path) => !isEmpty(valueAt(wanted, path)));
  const held = [...said, ...others.flatMap(pathsOf)];
  const dropped = pathsOf(before).filter((path) => !isCovered(path, held));
  return dropped.reduce<KubernetesObject>(
    (object, path) => removePath(object, path) as KubernetesObject,
    current,
  );
}

function without(entry: ManagedFieldsEntry, taken: readonly FieldPath[]): ManagedFieldsEntry {
  const left = pathsOf(entry).filter((path) => !isCovered(path, taken));
  return { ...entry, fieldsV1: writeFields(left) };
}

function entryOf(
  { apiVersion }: KubernetesObject,
  manager: string,
  { mine, now }: { mine: readonly FieldPath[]; now: number },
): ManagedFieldsEntry {
  return {
    manager,
    operation: 'Apply',
    ...(apiVersion !== undefined && { apiVersion }),
    time: timestamp(now),
    fieldsType: 'FieldsV1',
    fieldsV1: writeFields(mine),
  };
}

/** An item of a list is marked by a dot beside its fields. */
function writeFields(paths: readonly FieldPath[]): object {
  const root: Record<string, object> = {};
  for (const path of paths) {
    let node: Record<string, object> = root;
    for (const step of path) {
      const next = (node[step] ?? {}) as Record<string, object>;
      node[step] = next;
      node = next;
    }
    if (isItem(path)) node['.'] = {};
  }
  return root;
}
