import * as z from 'zod/mini';
import { serviceAccountTokensOf } from '../authn/service-account-tokens.ts';
import { getObject } from '../registry/update.ts';
import { timestamp } from '../store/object.ts';
import { parseBody } from './body.ts';
import { badRequest, methodNotAllowed } from './errors.ts';
import { type ApiResponse, jsonResponse } from './request.ts';
import { nameOf, type ResourceCall } from './resource-requests.ts';

const schema = z.looseObject({
  spec: z.optional(z.looseObject({ expirationSeconds: z.optional(z.nullable(z.int())) })),
});

/** The `token` part of a ServiceAccount: authentication.k8s.io/v1 TokenRequest. Throws 400, 404, 405. */
export function issueToken(call: ResourceCall): ApiResponse {
  const { context, route, request } = call;
  if (route.verb !== 'create') throw methodNotAllowed();
  const parsed = schema.safeParse(parseBody(request.body, request.headers['content-type']));
  if (!parsed.success) throw badRequest('the body is not a TokenRequest');
  const { metadata } = getObject(context, route.definition, route.namespace, nameOf(call));
  const expirationSeconds = parsed.data.spec?.expirationSeconds ?? 3_600;
  const account = { namespace: metadata.namespace ?? 'default', name: metadata.name, uid: metadata.uid };
  const { token, expiresAt } = serviceAccountTokensOf(context).issue(account, expirationSeconds);
  return jsonResponse(201, {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name: metadata.name, namespace: metadata.namespace },
    spec: { audiences: [], ...parsed.data.spec, expirationSeconds },
    status: { token, expirationTimestamp: timestamp(expiresAt) },
  });
}
