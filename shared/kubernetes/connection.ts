import type { HttpRequest } from '../net/http.ts';

/** Where an API server is and how to be let in. */
export interface ClusterConnection {
  /** Absolute, without a trailing slash; may have a path. */
  readonly server: string;
  readonly tls: NonNullable<HttpRequest['tls']>;
  readonly bearerToken?: string;
}

/** A connection that can be asked for again. */
export interface ConnectionSource {
  /** The connection, from memory while it is good. */
  connect(): Promise<ClusterConnection>;
  /** Forgets what is in memory: the API server has refused it. */
  invalidate(): void;
}
