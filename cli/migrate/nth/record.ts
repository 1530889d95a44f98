import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { lazily } from '../../../shared/base/lazily.ts';
import { parseJson } from '../../../shared/base/parse-json.ts';
import type { LifecycleHook } from '../../../shared/groups/group.ts';
import { isMigratedTag, migratedTagKey } from '../../../shared/groups/group-settings.ts';

/** What a group had before its migration, so that `--back` gives it back. */
export interface MigrationRecord {
  /** The tag by which the handler found its instances; undefined if it did not look at tags. */
  readonly managedTag: string | undefined;
  /** Its hooks. */
  readonly hooks: readonly LifecycleHook[];
  /** The tags of the group that a migration may change; null for one that was not there. */
  readonly tags: Readonly<Record<string, { readonly value: string; readonly propagates: boolean } | null>>;
  /** Hooks of Drover that the group did not have. */
  readonly newHooks: readonly string[];
}

/** The tag of an instance with the value that the handler's tag had. */
export const takenTagKey = 'drover.dev/nth-tag';

/** A tag that is set for a moment: a description of the group that has it is not older. No part of a record has this number. */
export const markTagKey = `${migratedTagKey}-0`;

const longestPart = 240;

/** Finds out a record in which a letter was changed. */
const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 8);

const hookSchema = z.object({
  lifecycleHookName: z.string(),
  transition: z.enum(['launching', 'terminating']),
  heartbeatTimeoutSeconds: z.number(),
  globalTimeoutSeconds: z.number(),
  defaultResult: z.enum(['CONTINUE', 'ABANDON']),
  notificationTarget: z.optional(z.string()),
  roleArn: z.optional(z.string()),
  notificationMetadata: z.optional(z.string()),
});

const recordSchema = lazily(() =>
  z.object({
    managedTag: z.optional(z.string()),
    hooks: z.array(hookSchema),
    tags: z.record(z.string(), z.nullable(z.object({ value: z.string(), propagates: z.boolean() }))),
    newHooks: z.array(z.string()),
  }),
);

/** The tags that hold a record: its JSON in base64url, because values of tags take few characters. The first one begins with the number of parts and a digest. Pure. */
export function recordTags(record: MigrationRecord): ReadonlyMap<string, string> {
  const text = Buffer.from(JSON.stringify(record)).toString('base64url');
  const count = Math.ceil(text.length / longestPart);
  return new Map(
    Array.from({ length: count }, (_, index) => {
      const part = text.slice(index * longestPart, (index + 1) * longestPart);
      return index === 0
        ? [migratedTagKey, `${count}.${digestOf(text)}.${part}`]
        : [`${migratedTagKey}-${index + 1}`, part];
    }),
  );
}

export type RecordReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'record'; readonly record: MigrationRecord }
  | { readonly kind: 'unreadable' };

/** The record in the tags of a group. Pure. */
export function readRecord(tags: Readonly<Record<string, string>>): RecordReading {
  if (recordKeys(tags).every((key) => key === markTagKey)) return { kind: 'none' };
  const [, count = '0', digest = '', first = ''] =
    /^(\d{1,2})\.([\w-]{8})\.([\w-]+)$/.exec(tags[migratedTagKey] ?? '') ?? [];
  const parts = Array.from({ length: Number(count) }, (_, index) =>
    index === 0 ? first : tags[`${migratedTagKey}-${index + 1}`],
  );
  const text = parts.join('');
  const isWhole = !parts.includes(undefined) && digestOf(text) === digest;
  const data = isWhole ? parseJson(Buffer.from(text, 'base64url').toString('utf8')) : undefined;
  const result = z.safeParse(recordSchema(), data);
  if (!result.success) return { kind: 'unreadable' };
  const { managedTag, hooks, ...rest } = result.data;
  return { kind: 'record', record: { ...rest, managedTag, hooks: hooks.map(withoutUndefined) } };
}

/** The keys of the tags that have a record, also of one that cannot be read. */
export const recordKeys = (tags: Readonly<Record<string, string>>): readonly string[] =>
  Object.keys(tags).filter((key) => isMigratedTag(key));

const withoutUndefined = ({
  notificationTarget,
  roleArn,
  notificationMetadata,
  ...hook
}: z.infer<typeof hookSchema>): LifecycleHook => ({
  ...hook,
  ...(notificationTarget !== undefined && { notificationTarget }),
  ...(roleArn !== undefined && { roleArn }),
  ...(notificationMetadata !== undefined && { notificationMetadata }),
});
