/** What one HTTP exchange with an API server needs; TLS material as PEM. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absolute, https (or http on loopback). */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMilliseconds: number;
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
}

/** Rejects with an error that carries its cause when no answer arrives in time. */
export type SendHttp = (request: HttpRequest) => Promise<HttpResponse>;
