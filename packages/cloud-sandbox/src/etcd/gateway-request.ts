/** Certificates of a client of etcd, and of the authority that it trusts; all PEM. */
export interface EtcdCredentials {
  readonly certificateAuthority: string;
  readonly clientCertificate: string;
  readonly clientKey: string;
}

/** One exchange with a member's client port. */
export interface GatewayRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMilliseconds: number;
  readonly tls: EtcdCredentials & { readonly serverName: string };
}

export interface StreamedResponse {
  readonly status: number;
  /** Ends with an error when the connection breaks. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** For answers that are too long to hold: snapshots. */
export type StreamGateway = (request: GatewayRequest) => Promise<StreamedResponse>;
