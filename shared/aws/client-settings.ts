import type { AwsConnection, AwsCredentials, AwsHttpRequest, AwsRequestHandler } from './connection.ts';
import { isNoAnswer, UnreadableAnswerError } from './errors.ts';

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

/** S3 and the other services spell it differently. */
const requestIdHeaders = ['x-amzn-requestid', 'x-amzn-request-id', 'x-amz-request-id'];

/**
 * Rejects what AWS has not answered: the SDK would take a proxy's page of HTML for "done", and the error of a proxy for one named
 * "Unknown". AWS gives each answer a request id.
 *
 * @throws UnreadableAnswerError
 */
export const answeredByAws = (handler: AwsRequestHandler): AwsRequestHandler => ({
  ...handler,
  handle: async (request, options) => {
    const answer = await handler.handle(request, options);
    const { statusCode, headers } = answer.response;
    const type = headers['content-type'] ?? 'no content type';
    const isErrorOfService = statusCode >= 300 && !type.startsWith('text/html');
    if (isErrorOfService || requestIdHeaders.some((name) => headers[name] !== undefined)) return answer;
    throw new UnreadableAnswerError(
      `${hostOf(request)} answered ${operationOf(request)} with ${statusCode} (${type}), without a request id of AWS`,
      { httpStatusCode: statusCode },
    );
  },
});

/** What was asked, for the message of an error. */
export interface AskedService {
  /** The SDK's name of the service: `Auto Scaling`. */
  readonly serviceId: string;
  /** Whether the environment names an endpoint to use instead of AWS's own. */
  readonly hasOwnEndpoint: boolean;
}

/** No answer came from a service of AWS. The message has the service, the operation, the host and a remedy; the cause has the reason. */
export class NoAnswerError extends Error {
  /** That of the cause: by name and code the SDK and the adapters know what may be tried again. */
  override readonly name: string;
  readonly code?: string;

  constructor(request: AwsHttpRequest, asked: AskedService, cause: Error) {
    const code = codeOf(cause);
    super(
      `${asked.serviceId} does not answer ${operationOf(request)} at ${hostOf(request)} (${remedyOf(code, asked)})`,
      { cause },
    );
    this.name = cause.name;
    if (code !== undefined) this.code = code;
  }
}

/** Names the call in the error of a request that got no answer. */
export const namingTheCall = (handler: AwsRequestHandler, asked: AskedService): AwsRequestHandler => ({
  ...handler,
  handle: async (request, options) => {
    try {
      return await handler.handle(request, options);
    } catch (error) {
      if (!(error instanceof Error) || !isNoAnswer(error)) throw error;
      throw new NoAnswerError(request, asked, error);
    }
  },
});

const codeOf = (error: Error): string | undefined =>
  'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** With the port, where the endpoint has one. */
export const hostOf = ({ hostname, port }: AwsHttpRequest): string =>
  port === undefined ? hostname : `${hostname}:${port}`;

/** The operation of a request, which the protocols of AWS name in a header, in a form or in the path. */
export function operationOf({ method, path, headers, body }: AwsHttpRequest): string {
  const target = Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-amz-target')?.[1];
  const action = typeof body === 'string' ? /(?:^|&)Action=(\w+)/.exec(body)?.[1] : undefined;
  return target?.split('.').at(-1) ?? action ?? `${method} ${path}`;
}

const unknownNames: readonly string[] = ['ENOTFOUND', 'EAI_AGAIN'];
const noRoutes: readonly string[] = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'];

function remedyOf(code: string | undefined, { hasOwnEndpoint }: AskedService): string {
  if (hasOwnEndpoint) return 'check AWS_ENDPOINT_URL, and that something listens there';
  if (code === undefined)
    return 'a private subnet needs a NAT gateway, or a VPC endpoint of the service whose security group lets port 443 in';
  if (unknownNames.includes(code)) return 'check the region, and DNS';
  if (code.startsWith('HPE_')) return 'something else than AWS answers: is there a proxy?';
  if (noRoutes.includes(code)) return 'check routes, proxies and firewalls';
  return 'the connection broke: try again later';
}

/** Drover's version: that of package.json, which a function's bundle does not contain. */
export const droverVersion = '0.1.0';
