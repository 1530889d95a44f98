import type { Authenticator } from '../authn/authenticator.ts';
import { impersonated } from '../authn/impersonation.ts';
import type { Attributes, Authorizer } from '../authz/authorizer.ts';
import type { Context, UserInfo } from '../registry/context.ts';
import { isVirtual } from '../resources/virtual.ts';
import { methodNotAllowed, noSuchResource } from './errors.ts';
import { coreEventCall, isEventsRoute } from './events-group.ts';
import type { Lister } from './list.ts';
import { answerPath } from './paths.ts';
import { type ApiRequest, type ApiResponse, jsonResponse } from './request.ts';
import type { RequestCounter } from './request-counter.ts';
import { answerResource } from './resource-requests.ts';
import { answerReview } from './reviews.ts';
import { type PathRoute, type ResourceRoute, routeOf } from './route.ts';
import { issueToken } from './service-account-token.ts';
import { failure, StatusError } from './status-error.ts';
import { answerSubresource } from './subresources.ts';

/** A fault for a test: an answer in place of the server's, or an error thrown for a connection that fails. */
export type BeforeRequest = (
  request: ApiRequest,
) => ApiResponse | undefined | Promise<ApiResponse | undefined>;

export interface DoorParts {
  readonly context: Context;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly lister: Lister;
  readonly counter: RequestCounter;
  readonly beforeRequest: () => BeforeRequest | undefined;
}

/** The way in for every request: fault hook, authentication, routing, authorization, answer. Rejects only when the hook throws. */
export function createDoor(parts: DoorParts): (request: ApiRequest) => Promise<ApiResponse> {
  return async (request) => {
    const route = routeOf(request.method, request.path);
    const planted = await parts.beforeRequest()?.(request);
    const response = planted ?? (await answerOrStatus(parts, request, route));
    parts.counter.record(subjectOf(request, route), Buffer.byteLength(response.body));
    return response;
  };
}

type Route = ResourceRoute | PathRoute | undefined;

async function answerOrStatus(parts: DoorParts, request: ApiRequest, route: Route): Promise<ApiResponse> {
  try {
    return await answer(parts, request, route);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return statusResponse(error);
  }
}

function statusResponse({ status }: StatusError): ApiResponse {
  const response = jsonResponse(status.code, status);
  const seconds = status.details?.retryAfterSeconds;
  if (seconds === undefined) return response;
  return { ...response, headers: { ...response.headers, 'retry-after': String(seconds) } };
}

async function answer(parts: DoorParts, request: ApiRequest, route: Route): Promise<ApiResponse> {
  const asking = await parts.authenticator.authenticate(request);
  if (asking === undefined) throw failure({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });
  const user = impersonated({ user: asking, headers: request.headers, authorizer: parts.authorizer });
  if (route === undefined) throw noSuchResource();
  authorize(parts.authorizer, user, route);
  if (route.kind === 'path') return answerPath(route, request.headers['accept'] ?? '');
  const { context, lister, authenticator, authorizer } = parts;
  if (isVirtual(route.definition)) return answerReview({ route, request, user, authenticator, authorizer });
  if (route.subresource === undefined && !route.definition.verbs.includes(route.verb))
    throw methodNotAllowed();
  const call = { context, lister, route, request, user };
  if (isEventsRoute(route)) return coreEventCall(call);
  if (route.definition.plural === 'serviceaccounts' && route.subresource === 'token') return issueToken(call);
  return route.subresource === undefined ? answerResource(call) : answerSubresource(call);
}

function authorize(authorizer: Authorizer, user: UserInfo, route: ResourceRoute | PathRoute): void {
  const attributes = attributesOf(route);
  if (!authorizer.isAllowed(user, attributes)) throw denied(user, route);
}

/** A Namespace is in itself, as the real server's request info has it. */
function attributesOf(route: ResourceRoute | PathRoute): Attributes {
  if (route.kind === 'path') return { verb: route.verb, path: route.path };
  const { definition, verb, name, subresource } = route;
  const namespace = definition.plural === 'namespaces' && definition.group === '' ? name : route.namespace;
  return { verb, group: definition.group, resource: definition.plural, subresource, namespace, name };
}

function denied({ username }: UserInfo, route: ResourceRoute | PathRoute): StatusError {
  if (route.kind === 'path') {
    const message = `forbidden: User "${username}" cannot ${route.verb} path "${route.path}"`;
    return failure({ code: 403, reason: 'Forbidden', message });
  }
  const { definition, verb, subresource, namespace, name = '' } = route;
  const { group, plural } = definition;
  const resource = subresource === undefined ? plural : `${plural}/${subresource}`;
  const scope = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const subject = group === '' ? plural : `${plural}.${group}`;
  return failure({
    code: 403,
    reason: 'Forbidden',
    message: `${subject}${name === '' ? '' : ` "${name}"`} is forbidden: User "${username}" cannot ${verb} resource "${resource}" in API group "${group}" ${scope}`,
    resource: { group, plural },
    name,
  });
}

function subjectOf({ method, path }: ApiRequest, route: Route): string {
  if (route?.kind !== 'resource') return `${method.toLowerCase()} ${path.split('?')[0] ?? ''}`;
  const part = route.subresource === undefined ? '' : `/${route.subresource}`;
  return `${route.verb} ${route.definition.plural}${part}`;
}
