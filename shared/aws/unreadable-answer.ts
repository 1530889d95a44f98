/** What the SDK says of an answer. */
export interface AnswerMetadata {
  readonly requestId?: string | undefined;
  readonly httpStatusCode?: number | undefined;
}

/** An answer that lacks what AWS always sends. Something between AWS and Drover may have given it, such as a proxy. */
export class UnreadableAnswerError extends Error {
  override readonly name = 'UnreadableAnswerError';
  readonly $metadata: AnswerMetadata;

  constructor(message: string, metadata: AnswerMetadata) {
    super(`${message}; is there a proxy?`);
    this.$metadata = metadata;
  }
}

/**
 * The SDK answers an empty body or a page of HTML with status 200 as a result without members. A missing list must not read as
 * an empty one: "no instances" makes Drover delete Nodes.
 *
 * @throws UnreadableAnswerError
 */
export function required<Value>(
  value: Value | undefined,
  { name, $metadata }: { readonly name: string; readonly $metadata: AnswerMetadata },
): Value {
  if (value !== undefined) return value;
  throw new UnreadableAnswerError(`AWS answered ${$metadata.httpStatusCode} without ${name}`, $metadata);
}
