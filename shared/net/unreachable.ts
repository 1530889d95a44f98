/** Codes of node:net and node:dns for a server to which no connection can be made. */
const unreachable: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Whether no connection was made, so that the server cannot have received the request. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && unreachable.has(error.code);
