import * as z from 'zod/mini';
import { describeIssues } from '../../shared/base/issues.ts';
import { parseJson } from '../../shared/base/parse-json.ts';
import { type HttpRequest, type HttpResponse, isUnreachable, type SendHttp } from '../../shared/net/http.ts';
import { awsCredentials } from '../aws-credentials.ts';
import type { CliContext } from '../context.ts';
import { ScaleApiError, toApiError, unknownChange } from './api-error.ts';
import { endpointOf, regionOf } from './endpoint.ts';
import type { ScaleApiFlags } from './flags.ts';
import { gatewayRefusalText, isGatewayRefusal, type SignedBy } from './gateway-refusal.ts';
import { signedBy } from './signed-by.ts';
import { type Sign, signerFor, unsigned } from './signer.ts';

interface ApiRequest {
  readonly method: 'PUT' | 'PATCH' | 'DELETE';
  /** With its query, from the root of the API on. */
  readonly path: string;
  readonly body?: object;
}

/** Requests to the scale API. Each rejects with a ScaleApiError; an answer without a body is read as undefined. */
export interface Requester {
  get<Schema extends z.ZodMiniType>(
    path: string,
    schema: Schema,
    options?: { readonly timeoutMilliseconds?: number },
  ): Promise<z.infer<Schema>>;
  /** `link` as an answer gave it. */
  follow<Schema extends z.ZodMiniType>(link: string, schema: Schema): Promise<z.infer<Schema>>;
  send<Schema extends z.ZodMiniType>(request: ApiRequest, schema: Schema): Promise<z.infer<Schema>>;
}

const timeoutMilliseconds = 35_000;

/** The API that the flags mean. */
export function requesterOf(flags: ScaleApiFlags, context: CliContext): Requester {
  const endpoint = endpointOf(flags, context);
  const connection = { ...signingFor(endpoint, flags, context), sendHttp: context.sendHttp };
  const base = endpoint.href.replace(/\/$/, '');
  return {
    get: (path, schema, options) =>
      exchange(connection, { method: 'GET', url: `${base}${path}`, headers: {}, ...options }, schema),
    follow: (link, schema) =>
      exchange(connection, { method: 'GET', url: linkedUrl(link, endpoint), headers: {} }, schema),
    send: ({ method, path, body }, schema) =>
      exchange(
        connection,
        {
          method,
          url: `${base}${path}`,
          headers: body ? { 'content-type': 'application/json' } : {},
          ...(body && { body: JSON.stringify(body) }),
        },
        schema,
      ),
  };
}

/** How requests are signed, and what is known of that once one is refused. */
interface Signing {
  readonly sign: Sign;
  readonly region: string | undefined;
  readonly signedBy: () => Promise<SignedBy>;
}

function signingFor(endpoint: URL, flags: ScaleApiFlags, context: CliContext): Signing {
  if (!flags.sign)
    return { sign: unsigned, region: undefined, signedBy: async () => ({ kind: 'unsigned' as const }) };
  const region = regionOf(endpoint, flags, context);
  const credentials = awsCredentials(context.environment, flags.profile);
  return {
    sign: signerFor({ region, credentials, clock: context.clock }),
    region,
    signedBy: () => signedBy({ region, credentials, context }),
  };
}

/** The query of a change. */
export const dryRunQuery = ({ dryRun }: { readonly dryRun: boolean }): string =>
  dryRun ? '?dryRun=true' : '';

/** A signed request goes to the API and nowhere else, whatever a link says. */
function linkedUrl(link: string, endpoint: URL): string {
  const url = URL.parse(link, endpoint.href);
  if (url?.origin === endpoint.origin) return url.href;
  throw new ScaleApiError('the API answered with a link to another server, which is not followed');
}

async function exchange<Schema extends z.ZodMiniType>(
  connection: Signing & { readonly sendHttp: SendHttp },
  request: Omit<HttpRequest, 'timeoutMilliseconds'> & { readonly timeoutMilliseconds?: number },
  schema: Schema,
): Promise<z.infer<Schema>> {
  const { sign, sendHttp } = connection;
  const { host, pathname } = new URL(request.url);
  const signed = await sign({ timeoutMilliseconds, ...request });
  const response = await sendHttp(signed).catch((cause: unknown) => {
    throw new ScaleApiError(
      `the scale API at ${host} does not answer ${request.method} ${pathname} (check --endpoint or DROVER_API_URL${isUnreachable(cause) ? '' : unknownChange(request.method)})`,
      { isPassing: true, cause },
    );
  });
  if (isGatewayRefusal(response)) throw await refused(response, request.url, connection);
  if (response.status >= 300) throw toApiError(response, { method: request.method, host });
  const parsed = z.safeParse(schema, response.body === '' ? undefined : parseJson(response.body));
  if (parsed.success) return parsed.data;
  const isJson = response.body !== '' && parseJson(response.body) !== undefined;
  throw new ScaleApiError(
    isJson
      ? `the API answered something else than expected: ${describeIssues(parsed.error)}; are both of one version?`
      : `${host} answered something else than expected, which is no JSON: check --endpoint or DROVER_API_URL`,
  );
}

async function refused(
  response: Pick<HttpResponse, 'status' | 'body'>,
  url: string,
  { region, signedBy }: Signing,
): Promise<ScaleApiError> {
  const { hostname: host } = new URL(url);
  const text = gatewayRefusalText({ response, host, region, signedBy: await signedBy() });
  return new ScaleApiError(text, { statusCode: response.status });
}
