import type { Admission } from '../admission/admission.ts';
import type { Authenticator } from '../authn/authenticator.ts';
import { impersonated } from '../authn/impersonation.ts';
import type { Authorizer } from '../authz/authorizer.ts';
import type { Context, UserInfo } from '../registry/context.ts';
import { isVirtual } from '../resources/virtual.ts';
import { checkAllowed, isKnownGroup } from './allowed.ts';
import { asYaml } from './as-yaml.ts';
import { attributesOf, denied } from './denied.ts';
import { coreEventCall, isEventsRoute } from './events-group.ts';
import type { Lister } from './list.ts';
import { checkForm, formOf } from './media.ts';
import { badPath, pageNotFound } from './pages.ts';
import { answerPath } from './paths.ts';
import type { ApiRequest, ApiResponse } from './request.ts';
import type { RequestCounter } from './request-counter.ts';
import { answerResource } from './resource-requests.ts';
import { answerReview } from './reviews.ts';
import { type PathRoute, type ResourceRoute, routeOf } from './route.ts';
import { issueToken } from './service-account-token.ts';
import { failure, StatusError } from './status-error.ts';
import { statusResponse } from './status-response.ts';
import { answerSubresource } from './subresources.ts';

/** A fault for a test: an answer instead of the server's, or an error thrown for a connection that fails. */
export type BeforeRequest = (
  request: ApiRequest,
) => ApiResponse | undefined | Promise<ApiResponse | undefined>;

export interface DoorParts {
  readonly context: Context;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly admission: Admission;
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

async function answer(parts: DoorParts, request: ApiRequest, route: Route): Promise<ApiResponse> {
  const asking = await parts.authenticator.authenticate(request);
  if (asking === undefined) throw failure({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });
  const user = impersonated({ user: asking, headers: request.headers, authorizer: parts.authorizer });
  if (route === undefined) return badPath();
  authorize(parts.authorizer, user, route);
  if (route.kind === 'path') return unlessKnown(request, answerPath(route, request.headers['accept'] ?? ''));
  if (!isKnownGroup(route)) return pageNotFound();
  checkAllowed(route);
  const answered = await answerRoute(parts, { route, request, user });
  return formOf(request.headers['accept']).isYaml ? asYaml(answered) : answered;
}

/** What the client has already, by its tag, is not sent again. */
function unlessKnown({ headers }: ApiRequest, answer: ApiResponse): ApiResponse {
  const { etag } = answer.headers;
  const isKnown = etag !== undefined && headers['if-none-match'] === etag;
  return isKnown ? { ...answer, status: 304, body: '' } : answer;
}

interface RoutedRequest {
  readonly route: ResourceRoute;
  readonly request: ApiRequest;
  readonly user: UserInfo;
}

async function answerRoute(parts: DoorParts, { route, request, user }: RoutedRequest): Promise<ApiResponse> {
  const { context, lister, authenticator, authorizer, admission } = parts;
  checkForm(request.headers['accept'], route.definition, route.verb);
  const now = context.clock.now();
  if (isVirtual(route.definition))
    return answerReview({ route, request, user, authenticator, authorizer, now });
  const call = { context, lister, route, request, user, admission };
  if (isEventsRoute(route)) return coreEventCall(call);
  if (route.definition.plural === 'serviceaccounts' && route.subresource === 'token') return issueToken(call);
  return route.subresource === undefined ? answerResource(call) : answerSubresource(call);
}

function authorize(authorizer: Authorizer, user: UserInfo, route: ResourceRoute | PathRoute): void {
  const attributes = attributesOf(route);
  const { isAllowed, reason } = authorizer.decide(user, attributes);
  if (!isAllowed) throw denied(user, attributes, reason);
}

function subjectOf({ method, path }: ApiRequest, route: Route): string {
  if (route?.kind !== 'resource') return `${method.toLowerCase()} ${path.split('?')[0] ?? ''}`;
  const part = route.subresource === undefined ? '' : `/${route.subresource}`;
  return `${route.verb} ${route.definition.plural}${part}`;
}
