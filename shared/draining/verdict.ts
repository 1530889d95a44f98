/**
 * What a drain does with a pod:
 * - `evict`: asks the API server, which minds its budget;
 * - `delete`: past the budget, for the node's deadline is here or the operator said so;
 * - `skip`: leaves it and does not wait for it;
 * - `refuse`: nothing may be drained until somebody has decided about this pod.
 */
export type Verdict = 'evict' | 'delete' | 'skip' | 'refuse';

/** A verdict with its reason, in words for an operator. */
export interface PodVerdict {
  readonly verdict: Verdict;
  readonly reason: string;
}

/** What one filter says: the pod may go (perhaps with a note), or it ends here. */
export type FilterAnswer =
  | { readonly verdict: 'pass'; readonly note?: string }
  | { readonly verdict: 'skip' | 'refuse'; readonly reason: string };

export const pass = (note?: string): FilterAnswer => ({ verdict: 'pass', ...(note && { note }) });
export const skip = (reason: string): FilterAnswer => ({ verdict: 'skip', reason });
export const refuse = (reason: string): FilterAnswer => ({ verdict: 'refuse', reason });
