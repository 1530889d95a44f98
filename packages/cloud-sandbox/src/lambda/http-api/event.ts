import type { APIGatewayProxyEventV2WithIAMAuthorizer } from 'aws-lambda';
import type { HttpApiRequest, IamCaller } from './http.ts';
import type { RouteMatch } from './route.ts';

export interface HttpEventParts {
  readonly request: HttpApiRequest;
  readonly match: RouteMatch;
  /** Undefined for a route without an authorizer. */
  readonly caller?: IamCaller | undefined;
  readonly apiId: string;
  readonly accountId: string;
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

type PayloadV2 = Omit<APIGatewayProxyEventV2WithIAMAuthorizer, 'requestContext'> & {
  readonly requestContext: object;
};

const nothingIfEmpty = (values: Readonly<Record<string, string>>): Record<string, string> | undefined =>
  Object.keys(values).length === 0 ? undefined : { ...values };

/** Values of one name are joined by commas, as payload format 2.0 has no lists. */
function queryOf(rawQueryString: string): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(rawQueryString))
    query[name] = name in query ? `${query[name]},${value}` : value;
  return query;
}

const isText = (contentType = ''): boolean =>
  /^(?:text\/|application\/(?:.+\+)?(?:json|xml|javascript)|application\/x-www-form-urlencoded)/.test(
    contentType,
  );

function bodyOf({ body, headers }: HttpApiRequest): { body?: string; isBase64Encoded: boolean } {
  if (body.length === 0) return { isBase64Encoded: false };
  const text = isText(headers['content-type']);
  return { body: Buffer.from(body).toString(text ? 'utf8' : 'base64'), isBase64Encoded: !text };
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `12/Mar/2020:19:03:58 +0000` */
function accessLogTime(now: number): string {
  const [date = '', time = ''] = new Date(now).toISOString().split('T');
  const [year, month, day] = date.split('-');
  return `${day}/${months[Number(month) - 1]}/${year}:${time.slice(0, 8)} +0000`;
}

const authorizerOf = ({ accountId, arn, accessKeyId }: IamCaller): object => ({
  iam: {
    accessKey: accessKeyId,
    accountId,
    callerId: accessKeyId,
    cognitoIdentity: null,
    principalOrgId: null,
    userArn: arn,
    userId: accessKeyId,
  },
});

/** An HTTP API decodes the path, and ends it at a question mark that appears by that. It passes on what cannot be decoded. */
function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path).replace(/\?.*/s, '');
  } catch (error) {
    if (error instanceof URIError) return path;
    throw error;
  }
}

/** The event of payload format 2.0 (API Gateway developer guide, "Lambda proxy integrations for HTTP APIs"). */
export function httpEvent({ request, match, caller, ...context }: HttpEventParts): PayloadV2 {
  const { cookie, ...headers } = request.headers;
  const path = decodedPath(request.path);
  const pathParameters = nothingIfEmpty(match.pathParameters);
  const queryStringParameters = nothingIfEmpty(queryOf(request.rawQueryString));
  return {
    version: '2.0',
    routeKey: match.route.routeKey,
    rawPath: path,
    rawQueryString: request.rawQueryString,
    ...(cookie !== undefined && { cookies: cookie.split(/;\s*/) }),
    headers,
    ...(queryStringParameters && { queryStringParameters }),
    ...(pathParameters && { pathParameters }),
    requestContext: {
      accountId: context.accountId,
      apiId: context.apiId,
      ...(caller && { authorizer: authorizerOf(caller) }),
      domainName: headers.host ?? '',
      domainPrefix: context.apiId,
      http: {
        method: request.method,
        path,
        protocol: 'HTTP/1.1',
        sourceIp: request.sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: context.requestId,
      routeKey: match.route.routeKey,
      stage: '$default',
      time: accessLogTime(context.now),
      timeEpoch: context.now,
    },
    ...bodyOf(request),
  };
}
