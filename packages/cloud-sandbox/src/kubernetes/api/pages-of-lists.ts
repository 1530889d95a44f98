import { badRequest, expired } from './errors.ts';
import type { Item, Page } from './list.ts';
import type { Snapshots } from './snapshots.ts';

interface PageRequest {
  readonly items: readonly Item[];
  readonly start: number;
  readonly limit: number;
  readonly revision: number;
  /** With a selector the remaining items are not counted. */
  readonly isSelected: boolean;
}

export function page(snapshots: Snapshots, { items, start, limit, revision, isSelected }: PageRequest): Page {
  const resourceVersion = String(revision);
  const end = limit > 0 ? start + limit : items.length;
  if (end >= items.length) return { items: items.slice(start), metadata: { resourceVersion } };
  const token = snapshots.keep({ items, next: end, revision });
  const left = items.length - end;
  return {
    items: items.slice(start, end),
    metadata: { resourceVersion, continue: token, ...(!isSelected && { remainingItemCount: left }) },
  };
}

/** The next page of a list. Throws 400 for a token that the server did not issue, 410 for one that has expired. */
export function continued(
  snapshots: Snapshots,
  query: URLSearchParams,
  { limit, isSelected }: Pick<PageRequest, 'limit' | 'isSelected'>,
): Page {
  const token = query.get('continue') ?? '';
  const text = Buffer.from(token, 'base64url').toString('latin1');
  if (!text.startsWith('{"v":"meta.k8s.io/v1"'))
    throw badRequest(
      `invalid continue token: continue key is not valid: invalid character '${text.charAt(0)}' looking for beginning of value`,
    );
  if ((query.get('resourceVersion') ?? '') !== '')
    throw badRequest('specifying resource version is not allowed when using continue');
  const snapshot = snapshots.take(token);
  if (snapshot === undefined)
    throw expired(
      'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.',
    );
  return page(snapshots, { ...snapshot, start: snapshot.next, limit, isSelected });
}
