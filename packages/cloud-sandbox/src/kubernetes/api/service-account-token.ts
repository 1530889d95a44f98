import * as z from 'zod/mini';
import { issuer, serviceAccountTokensOf } from '../authn/service-account-tokens.ts';
import { checkNamespace } from '../registry/create.ts';
import { getObject } from '../registry/update.ts';
import { timestamp } from '../store/object.ts';
import { parseBody, unreadable } from './body.ts';
import { invalid } from './errors.ts';
import { type ApiResponse, jsonResponse } from './request.ts';
import { nameOf, type ResourceCall } from './resource-requests.ts';

const schema = z.looseObject({
  spec: z.optional(
    z.looseObject({
      expirationSeconds: z.optional(z.nullable(z.int())),
      audiences: z.optional(z.nullable(z.array(z.string()))),
    }),
  ),
});

const kind = { kind: 'TokenRequest', version: 'v1' };
const shortestSeconds = 600;

/** The `token` part of a ServiceAccount: authentication.k8s.io/v1 TokenRequest. Throws 400, 403, 404, 422. */
export function issueToken(call: ResourceCall): ApiResponse {
  const { context, route, request } = call;
  const body = parseBody(request.body, request.headers['content-type'], kind.kind);
  const { data, error } = schema.safeParse(body);
  if (data === undefined) throw unreadable(kind, body, error?.issues[0]);
  checkNamespace(context, route.definition, { namespace: route.namespace ?? '', name: nameOf(call) });
  const { metadata } = getObject(context, route.definition, route.namespace, nameOf(call));
  const expirationSeconds = data.spec?.expirationSeconds ?? 3_600;
  if (expirationSeconds < shortestSeconds) throw tooShort(expirationSeconds);
  const given = data.spec?.audiences ?? [];
  const audiences = given.length === 0 ? [issuer] : given;
  const account = { namespace: metadata.namespace ?? 'default', name: metadata.name, uid: metadata.uid };
  const { token, expiresAt } = serviceAccountTokensOf(context).issue(
    { ...account, audiences },
    expirationSeconds,
  );
  const creationTimestamp = timestamp(context.clock.now());
  return jsonResponse(201, {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { ...account, creationTimestamp },
    spec: { audiences, expirationSeconds, boundObjectRef: null },
    status: { token, expirationTimestamp: timestamp(expiresAt) },
  });
}

function tooShort(seconds: number) {
  const message = `Invalid value: ${seconds}: may not specify a duration less than 10 minutes`;
  const causes = [{ reason: 'FieldValueInvalid', message, field: 'spec.expirationSeconds' }];
  return invalid({ group: 'authentication.k8s.io', kind: kind.kind, name: '', causes });
}
