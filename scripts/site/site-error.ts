/** An error that the user can fix; its message describes how. */
export class SiteError extends Error {
  override readonly name = 'SiteError';
}
