import * as z from 'zod/mini';
import type { Authenticator } from '../authn/authenticator.ts';
import type { Attributes, Authorizer } from '../authz/authorizer.ts';
import type { UserInfo } from '../registry/context.ts';
import { apiVersionOf } from '../resources/definition.ts';
import { timestamp } from '../store/object.ts';
import { parseBody, unreadable } from './body.ts';
import type { ApiRequest } from './request.ts';
import { type ApiResponse, jsonResponse } from './request.ts';
import { checkReview } from './review-validation.ts';
import type { ResourceRoute } from './route.ts';

const text = z.optional(z.string());
const reviewSchema = z.looseObject({
  spec: z.optional(
    z.looseObject({
      token: text,
      user: text,
      groups: z.optional(z.array(z.string())),
      namespace: text,
      resourceAttributes: z.optional(
        z.looseObject({
          verb: text,
          group: text,
          resource: text,
          subresource: text,
          namespace: text,
          name: text,
        }),
      ),
      nonResourceAttributes: z.optional(z.looseObject({ verb: text, path: text })),
    }),
  ),
});

export type ReviewSpec = NonNullable<z.infer<typeof reviewSchema>['spec']>;

export interface ReviewCall {
  readonly route: ResourceRoute;
  readonly request: ApiRequest;
  readonly user: UserInfo;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly now: number;
}

/** Answers questions about identities and rights: nothing is stored. Throws StatusError. */
export async function answerReview(call: ReviewCall): Promise<ApiResponse> {
  const { definition } = call.route;
  const value = parseBody(call.request.body, call.request.headers['content-type'], definition.kind);
  const body = reviewSchema.safeParse(value);
  if (!body.success) throw unreadable(definition, value, body.error.issues[0]);
  const spec = body.data.spec ?? {};
  checkReview(definition, spec);
  const head = { kind: definition.kind, apiVersion: apiVersionOf(definition) };
  const status = await statusOf(call, spec);
  if (definition.kind === 'SelfSubjectReview')
    return jsonResponse(201, { ...head, metadata: { creationTimestamp: timestamp(call.now) }, status });
  return jsonResponse(201, { ...head, metadata: {}, spec, status });
}

async function statusOf(call: ReviewCall, spec: ReviewSpec): Promise<object> {
  const { user, authorizer, authenticator, route } = call;
  switch (route.definition.kind) {
    case 'SelfSubjectReview':
      return { userInfo: user };
    case 'TokenReview': {
      const found = await authenticator.authenticateToken(spec.token ?? '');
      return found === undefined
        ? { user: {}, error: 'invalid bearer token' }
        : { authenticated: true, user: found };
    }
    case 'SelfSubjectAccessReview':
      return decision(authorizer, user, spec);
    case 'SelfSubjectRulesReview':
      return rules(authorizer, user, spec.namespace ?? 'default');
    default:
      return decision(authorizer, { username: spec.user ?? '', groups: spec.groups ?? [] }, spec);
  }
}

function decision(authorizer: Authorizer, user: UserInfo, spec: ReviewSpec): object {
  const { isAllowed, reason } = authorizer.decide(user, attributesOf(spec));
  return { allowed: isAllowed, ...(reason !== undefined && { reason }) };
}

function attributesOf({ resourceAttributes, nonResourceAttributes }: ReviewSpec): Attributes {
  if (resourceAttributes === undefined)
    return { verb: nonResourceAttributes?.verb ?? '', path: nonResourceAttributes?.path ?? '' };
  const { verb = '', group = '', resource = '', ...rest } = resourceAttributes;
  const subresource = rest.subresource === '' ? undefined : rest.subresource;
  return { verb, group, resource, subresource, namespace: rest.namespace, name: rest.name };
}

function rules(authorizer: Authorizer, user: UserInfo, namespace: string): object {
  const all = authorizer.rulesOf(user, namespace);
  const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
  const isMaster = user.groups.includes('system:masters');
  return {
    resourceRules: [
      ...(isMaster ? [everything] : []),
      ...all.filter(({ resources }) => resources !== undefined),
    ],
    nonResourceRules: all.filter(({ nonResourceURLs }) => nonResourceURLs !== undefined),
    incomplete: false,
  };
}
