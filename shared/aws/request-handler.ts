/** A signed request to AWS, in the form that the request handlers of the AWS SDK take too. */
export interface AwsHttpRequest {
  readonly method: string;
  /** `https:` */
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** In place of `body`, which is empty then, for what is no text. */
  readonly bytes?: Uint8Array;
  /** The answer is wanted as it is, not as text. */
  readonly answerIn?: 'bytes';
  /** In place of what carries the request would wait for: for bodies of megabytes. */
  readonly timeoutMilliseconds?: number;
}

export interface AwsHttpResponse {
  readonly statusCode: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Carries a request to AWS and its answer back; rejects when there is none. `options` are what the AWS SDK gives along. */
export type AwsRequestHandler = {
  readonly handle: (
    request: AwsHttpRequest,
    options?: object,
  ) => Promise<{ readonly response: AwsHttpResponse }>;
};
