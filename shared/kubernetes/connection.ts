import type { HttpRequest } from '../net/http.ts';

/** The address of an API server and the credentials for it. */
export interface ClusterConnection {
  /** Absolute, without a trailing slash; may have a path. */
  readonly server: string;
  readonly tls: NonNullable<HttpRequest['tls']>;
  readonly bearerToken?: string;
}

/** Provides a connection, and a new one after a refusal. */
export interface ConnectionSource {
  /** The connection, cached while its credentials are valid. */
  connect(): Promise<ClusterConnection>;
  /** Drops the cached connection, because the API server has refused it. */
  invalidate(): void;
}
