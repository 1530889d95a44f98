/** One HTTP exchange without a socket; TLS material as PEM. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absolute. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Instead of `body`, for what is not text. */
  readonly bytes?: Uint8Array;
  /** The answer is wanted in `bytes`, not in `body`. */
  readonly answerIn?: 'bytes';
  readonly timeoutMilliseconds: number;
  /** How far behind the server may answer a read that permits an old answer. */
  readonly staleSeconds?: number;
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
  readonly bytes?: Uint8Array;
}

/** Rejects with an error that carries its cause when no answer arrives. */
export type SendHttp = (request: HttpRequest) => Promise<HttpResponse>;
