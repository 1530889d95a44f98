/** Our client certificate and key, and the authority that we trust; all PEM. The key opens every Secret of a cluster, so it is never logged. */
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

export interface GatewayResponse {
  readonly status: number;
  readonly body: string;
}

/** Sends a request. Rejects if no answer arrives in time; the error has Node's code if there is one. */
export type SendGateway = (request: GatewayRequest) => Promise<GatewayResponse>;

export interface StreamedResponse {
  readonly status: number;
  /** Throws if the connection breaks or no data arrives for too long. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** As SendGateway, for answers that are too long to hold in memory. The timeout limits the time without data, not the whole. */
export type StreamGateway = (request: GatewayRequest) => Promise<StreamedResponse>;
