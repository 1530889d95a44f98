/** Whom we are to etcd and whom we believe; all PEM. The key opens every Secret of a cluster: it is never logged. */
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

/** Whatever carries HTTP. Rejects when no answer arrives in time, with the code of Node's own errors where it has one. */
export type SendGateway = (request: GatewayRequest) => Promise<GatewayResponse>;

export interface StreamedResponse {
  readonly status: number;
  /** Ends with an error where the connection breaks or nothing comes for too long. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** As SendGateway, for answers that are too long to hold; the timeout is for each silence, not for the whole. */
export type StreamGateway = (request: GatewayRequest) => Promise<StreamedResponse>;
