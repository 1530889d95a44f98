/** What a person can mend; its message says how. */
export class SiteError extends Error {
  override readonly name = 'SiteError';
}
