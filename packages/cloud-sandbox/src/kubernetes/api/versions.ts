import type { Store } from '../store/store.ts';
import { badRequest, tooLargeVersion, unexplained } from './errors.ts';

/** The `resourceVersion` of a query; 0 if there is none. Throws 500 for what is not a number, as the real server does. */
export function versionOf(query: URLSearchParams): number {
  const text = query.get('resourceVersion') ?? '';
  if (text === '' || /^\d+$/.test(text)) return Number(text);
  throw unexplained(unreadable(text));
}

/** Likewise, of a list: throws 400. */
export function listVersionOf(query: URLSearchParams): number {
  const text = query.get('resourceVersion') ?? '';
  if (text === '' || /^\d+$/.test(text)) return Number(text);
  throw badRequest(`invalid resource version: ${unreadable(text)}`);
}

const unreadable = (text: string): string =>
  `resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": invalid syntax`;

/** Refuses a future version at once. The real server waits for it for three seconds first. */
export function checkNotAhead({ revision }: Store, version: number): void {
  if (version > revision) throw tooLargeVersion(version, revision);
}
