/** What a function's answer says about its batch. */
export type BatchVerdict =
  | { readonly kind: 'all-succeeded' }
  | { readonly kind: 'some-failed'; readonly messageIds: ReadonlySet<string> }
  /** Also what Lambda makes of an answer that it cannot read. */
  | { readonly kind: 'all-failed'; readonly why: string };

const allFailed = (why: string): BatchVerdict => ({ kind: 'all-failed', why });

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Reads the answer of a function whose mapping has ReportBatchItemFailures (Lambda developer guide, "Reporting batch item
 * failures"): nothing, an empty object and an empty or missing list mean that every message succeeded; a failure without
 * an identifier, with an unknown one or under another key means that none did.
 */
export function readBatchResponse(response: unknown, batch: ReadonlySet<string>): BatchVerdict {
  if (response === null || response === undefined) return { kind: 'all-succeeded' };
  if (!isObject(response)) return allFailed('the response is not an object');
  const failures = response.batchItemFailures;
  if (failures === undefined || failures === null) return { kind: 'all-succeeded' };
  if (!Array.isArray(failures)) return allFailed('batchItemFailures is not a list');
  if (failures.length === 0) return { kind: 'all-succeeded' };
  const messageIds = new Set<string>();
  for (const failure of failures) {
    const identifier: unknown = isObject(failure) ? failure.itemIdentifier : undefined;
    if (typeof identifier !== 'string' || identifier === '')
      return allFailed('an itemIdentifier is missing or empty');
    if (!batch.has(identifier)) return allFailed(`itemIdentifier ${identifier} is not in the batch`);
    messageIds.add(identifier);
  }
  return { kind: 'some-failed', messageIds };
}
