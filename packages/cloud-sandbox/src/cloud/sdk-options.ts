import type { AwsRequestHandler } from '../aws/front/request-handler.ts';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

const noPreference = (): Promise<string[]> => Promise.resolve([]);

/**
 * What a client of the AWS SDK is made with that must not touch the machine: it would look for two settings in files, and
 * wait on the machine's timer between two attempts.
 */
export function sdkOptions(options: {
  readonly region: string;
  readonly credentials: AwsCredentials;
  readonly requestHandler?: AwsRequestHandler | undefined;
}) {
  const { region, credentials, requestHandler } = options;
  return {
    region,
    credentials,
    maxAttempts: 1,
    retryMode: 'standard',
    defaultsMode: 'standard',
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    authSchemePreference: noPreference,
    disableClockSkewCorrection: false,
    ignoreConfiguredEndpointUrls: true,
    ...(requestHandler && { requestHandler }),
  } as const;
}
