import type { AwsRequestHandler } from './request-handler.ts';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface AwsConnection {
  readonly region: string;
  /** Absent: the SDK's own search, which a laptop needs and a Lambda does not. */
  readonly credentials?: AwsCredentials;
  /** Absent: AWS itself. */
  readonly endpoint?: string;
  readonly requestHandler?: AwsRequestHandler;
}

const noPreference = (): Promise<string[]> => Promise.resolve([]);

/**
 * What every client is made with. Two attempts at most: one more for a connection that broke; everything longer is the
 * pass's to wait for. Whoever brings a request handler sees to broken connections there: between two attempts the SDK waits
 * on the machine's timer. What the SDK would look up in files is said here, for a Lambda has none and reading costs time.
 */
export function clientOptions(connection: AwsConnection) {
  return {
    region: connection.region,
    maxAttempts: connection.requestHandler ? 1 : 2,
    retryMode: 'standard',
    defaultsMode: 'standard',
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    userAgentAppId: 'drover',
    authSchemePreference: noPreference,
    disableClockSkewCorrection: false,
    ...(connection.credentials && {
      credentials: connection.credentials,
      ignoreConfiguredEndpointUrls: true,
    }),
    ...(connection.endpoint && { endpoint: connection.endpoint }),
    ...(connection.requestHandler && { requestHandler: connection.requestHandler }),
  } as const;
}
