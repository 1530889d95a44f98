/** Whether the error says that a file or a folder is not there; `path` is what was looked for. Pure. */
export const isMissingFile = (error: unknown): error is Error & { readonly path?: string } =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';
