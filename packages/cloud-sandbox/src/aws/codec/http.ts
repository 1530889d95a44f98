/** One HTTP request to the simulated AWS, in process or over the wire. */
export interface AwsHttpRequest {
  readonly method: string;
  /** As sent: percent-encoded, without the query. */
  readonly path: string;
  /** Decoded names and values; a name without a value has ''. */
  readonly query: ReadonlyArray<readonly [string, string]>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface AwsHttpResponse {
  readonly statusCode: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export const bodyText = (request: AwsHttpRequest): string => Buffer.from(request.body).toString('utf8');
