import type { UserInfo } from '../registry/context.ts';

/** An unparsed request, as it arrives. */
export interface ApiRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Given by a caller inside the simulation instead of credentials. */
  readonly user?: UserInfo;
  /** PEM of the certificate that the client has shown; the transport has proved that the client holds its key. */
  readonly clientCertificate?: string;
  /** How far the watch cache is behind that answers where the request permits it. */
  readonly staleSeconds?: number;
}

/** The lines of a watch, as they come. */
export interface WatchStream {
  /** `line` is given each event with its line end; `end` once, when the server ends the watch. Gives back what closes it. */
  subscribe(listener: { line(text: string): void; end(): void }): () => void;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for a watch. */
  readonly body: string;
  readonly stream?: WatchStream;
}

const json = { 'content-type': 'application/json' };

export function jsonResponse(status: number, body: unknown): ApiResponse {
  return { status, headers: json, body: typeof body === 'string' ? body : JSON.stringify(body) };
}
