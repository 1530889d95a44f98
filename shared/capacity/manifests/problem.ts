/** What is wrong in a manifest, and where. */
export interface ManifestProblem {
  readonly file: string;
  /** Counted from 1, without empty documents; undefined if it is about the whole file. */
  readonly document?: number;
  /** Such as `spec.template.spec.containers[0].resources`; undefined if it is about the whole document. */
  readonly field?: string;
  readonly message: string;
}

/** The problem in one line, such as `web.yaml, document 2, spec.replicas: must be a whole number`. */
export function problemText({ file, document, field, message }: ManifestProblem): string {
  const place = [file, document !== undefined && `document ${document}`, field].filter(Boolean).join(', ');
  return `${place}: ${message}`;
}
