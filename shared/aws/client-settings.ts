import { droverVersion } from '../base/version.ts';
import { answeredByAws } from './answered-by-aws.ts';
import type { AwsConnection, AwsCredentials } from './connection.ts';
import { namingTheCall } from './no-answer.ts';

/** What the AWS CLI and the other SDKs take as well ("Standardized retry behavior" of the SDK reference guide). */
const usualAttempts = 3;

/**
 * The settings of an SDK client. Each setting has a value, so that the SDK reads no file and asks no metadata service.
 * `serviceId` is the SDK's name of the service: `Auto Scaling`.
 */
export function clientSettings(connection: AwsConnection, serviceId: string) {
  const { region, requestHandler, environment = {}, maxAttempts = usualAttempts } = connection;
  const isOn = (name: string): boolean => environment[name] === 'true';
  const endpoint = endpointOf(serviceId, environment);
  return {
    region,
    credentials: askedEachTime(connection.credentials),
    ...(endpoint && { endpoint }),
    // The environment is heeded above; a profile's endpoint is not.
    ignoreConfiguredEndpointUrls: true,
    useFipsEndpoint: isOn('AWS_USE_FIPS_ENDPOINT'),
    useDualstackEndpoint: isOn('AWS_USE_DUALSTACK_ENDPOINT'),
    retryMode: 'standard',
    maxAttempts,
    defaultsMode: 'standard',
    authSchemePreference: async () => [],
    disableClockSkewCorrection: isOn('AWS_DISABLE_CLOCK_SKEW_CORRECTION'),
    userAgentAppId: async () => environment['AWS_SDK_UA_APP_ID'],
    customUserAgent: [['drover', droverVersion]] as [string, string][],
    requestHandler: namingTheCall(answeredByAws(requestHandler), {
      serviceId,
      hasOwnEndpoint: endpoint !== undefined,
    }),
  } as const;
}

/**
 * `AWS_ENDPOINT_URL_AUTO_SCALING` before `AWS_ENDPOINT_URL` ("Service-specific endpoints" of the SDK reference guide);
 * undefined: AWS itself.
 *
 * @throws EndpointError
 */
export function endpointOf(
  serviceId: string,
  environment: NonNullable<AwsConnection['environment']>,
): string | undefined {
  if (environment['AWS_IGNORE_CONFIGURED_ENDPOINT_URLS'] === 'true') return undefined;
  const suffix = serviceId.replaceAll(/[\s-]/g, '_').toUpperCase();
  const name = [`AWS_ENDPOINT_URL_${suffix}`, 'AWS_ENDPOINT_URL'].find((one) => environment[one]);
  if (name === undefined) return undefined;
  const endpoint = environment[name] ?? '';
  if (!/^https?:/.test(endpoint) || !URL.canParse(endpoint)) throw new EndpointError(name);
  return endpoint;
}

/** The environment names an endpoint that cannot be one. */
export class EndpointError extends Error {
  override readonly name = 'EndpointError';

  constructor(variable: string) {
    super(
      `${variable} is not an endpoint: write a URL such as https://sqs.eu-west-1.amazonaws.com, or unset it`,
    );
  }
}

/** The SDK keeps credentials without an expiration for ever, unless their provider says that it remembers them itself. */
const askedEachTime = (credentials: AwsConnection['credentials']) =>
  Object.assign(async (): Promise<AwsCredentials> => await credentials(), { memoized: true });
