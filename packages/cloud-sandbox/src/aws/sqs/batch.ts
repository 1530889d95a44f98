import type { BatchResultErrorEntry } from '@aws-sdk/client-sqs';
import { AwsError } from '../service.ts';

const maximumEntries = 10;
const maximumBatchBytes = 1_048_576;
const idPattern = /^[\w-]{1,80}$/;

const batchError = (code: string, message: string): AwsError => new AwsError({ code, message });

/** Throws the errors that refuse a batch as a whole (Amazon SQS API Reference, the *Batch operations). */
export function checkBatch(entries: ReadonlyArray<{ readonly Id: string | undefined }> | undefined): void {
  if (entries === undefined || entries.length === 0) {
    throw batchError('EmptyBatchRequest', 'There should be at least one entry in the request.');
  }
  if (entries.length > maximumEntries) {
    const message = `Maximum number of entries per request are 10. You have sent ${entries.length}.`;
    throw batchError('TooManyEntriesInBatchRequest', message);
  }
  const seen = new Set<string>();
  for (const { Id: id = '' } of entries) {
    if (!idPattern.test(id)) {
      const message =
        'A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.';
      throw batchError('InvalidBatchEntryId', message);
    }
    if (seen.has(id)) throw batchError('BatchEntryIdsNotDistinct', `Id ${id} repeated.`);
    seen.add(id);
  }
}

/** Throws BatchRequestTooLong above 1 MiB in all. */
export function checkBatchBytes(bytes: number): void {
  if (bytes <= maximumBatchBytes) return;
  const message = `Batch requests cannot be longer than ${maximumBatchBytes} bytes. You have sent ${bytes} bytes.`;
  throw batchError('BatchRequestTooLong', message);
}

export interface BatchAnswer<Success> {
  readonly Successful: Success[];
  readonly Failed: BatchResultErrorEntry[];
}

/** Does each entry by itself: what fails is named in `Failed`, the others succeed. */
export function eachEntry<Entry extends { readonly Id: string | undefined }, Success>(
  entries: readonly Entry[],
  act: (entry: Entry) => Success,
): BatchAnswer<Success & { Id: string }> {
  const answer: BatchAnswer<Success & { Id: string }> = { Successful: [], Failed: [] };
  for (const entry of entries) {
    const id = entry.Id ?? '';
    try {
      answer.Successful.push({ ...act(entry), Id: id });
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      answer.Failed.push({ Id: id, Code: error.code, Message: error.message, SenderFault: true });
    }
  }
  return answer;
}
