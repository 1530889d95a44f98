import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';

const entrySchema = z.object({
  verb: z.string(),
  requestURI: z.string(),
  // The API server leaves it out if it refused the request before it knew the user.
  user: z.object({ username: z.optional(z.string()) }),
  objectRef: z.optional(
    z.object({
      resource: z.optional(z.string()),
      name: z.optional(z.string()),
      subresource: z.optional(z.string()),
    }),
  ),
  responseStatus: z.optional(z.object({ code: z.optional(z.number()) })),
  stage: z.string(),
  stageTimestamp: z.string(),
});

/** A request that the API server has answered, from its audit log. */
export interface Audited {
  readonly username: string;
  readonly verb: string;
  /** `pods/eviction`. */
  readonly resource: string;
  readonly name: string;
  readonly code: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Since a moment; epoch milliseconds. */
export const readAudit = (file: string, since: number): readonly Audited[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => entrySchema.parse(JSON.parse(line)))
    .filter(
      ({ stage, stageTimestamp }) => stage === 'ResponseComplete' && Date.parse(stageTimestamp) >= since,
    )
    .map(({ verb, user, objectRef, responseStatus, stageTimestamp }) => ({
      username: user.username ?? '',
      verb,
      resource: [objectRef?.resource, objectRef?.subresource].filter((part) => part !== undefined).join('/'),
      name: objectRef?.name ?? '',
      code: responseStatus?.code ?? 0,
      at: Date.parse(stageTimestamp),
    }));

/** Without Events: they only report, and no action needs them. */
export const requestsOf = (audited: readonly Audited[], username: string): number =>
  audited.filter((one) => one.username === username && one.resource !== 'events').length;
