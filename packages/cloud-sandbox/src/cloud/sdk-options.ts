import type { AwsRequestHandler } from '../aws/front/request-handler.ts';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

const noPreference = (): Promise<string[]> => Promise.resolve([]);
const noAppId = (): Promise<undefined> => Promise.resolve(undefined);

/**
 * The settings of an AWS SDK client that does not use the machine. Without them it would look for settings in files, and wait on
 * the machine's timer between two attempts. Simulated time does not wait for either.
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
    userAgentAppId: noAppId,
    ignoreConfiguredEndpointUrls: true,
    ...(requestHandler && { requestHandler }),
  } as const;
}
