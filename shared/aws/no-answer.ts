import { isNoAnswer } from './errors.ts';
import type { AwsHttpRequest, AwsRequestHandler } from './request-handler.ts';

/** What was asked, for the message of an error. */
export interface AskedService {
  /** The SDK's name of the service: `Auto Scaling`. */
  readonly serviceId: string;
  /** Whether the environment names the endpoint, in place of AWS's own. */
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

/** As the protocols of AWS name it: in a header, in a form, or in the path alone. */
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
