/** What one HTTP exchange with an API server needs; TLS material as PEM. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absolute, https (or http on loopback). */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Instead of `body`, for binary content. */
  readonly bytes?: Uint8Array;
  /** Returns the answer in `bytes` instead of `body`. */
  readonly answerIn?: 'bytes';
  readonly timeoutMilliseconds: number;
  /** What takes that long at most: the whole exchange, or a silence in it. Defaults to the exchange. */
  readonly timeoutOf?: 'exchange' | 'silence';
  /** Besides `silence`: how long the whole exchange may take, so that an answer that drips ends too. */
  readonly longestMilliseconds?: number;
  /** A longer answer is refused, before and after it is decompressed. Defaults to 128 MiB. */
  readonly longestAnswerBytes?: number;
  /** How many requests the server may have to answer at once; the others wait. Defaults to four. */
  readonly concurrency?: number;
  readonly tls?: {
    readonly certificateAuthority?: string;
    readonly clientCertificate?: string;
    readonly clientKey?: string;
    readonly serverName?: string;
    readonly insecureSkipVerify?: boolean;
  };
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Set if `answerIn` asked for them; `body` is empty then. */
  readonly bytes?: Uint8Array;
}

/** Rejects, with the cause, if no answer arrives in time. */
export type SendHttp = (request: HttpRequest) => Promise<HttpResponse>;

/** The answer is longer than its request takes, before or after it is decompressed. */
export class LongAnswerError extends Error {
  override readonly name = 'LongAnswerError';

  constructor(longestBytes: number, options?: ErrorOptions) {
    super(`the answer exceeds ${longestBytes} bytes`, options);
  }
}

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
