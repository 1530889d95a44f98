import type { NormalizedSchema } from '@smithy/core/schema';
import { jsonErrorCodes, messageMember } from './aws-json.ts';
import type { AwsHttpRequest } from './http.ts';
import { createJsonCodec, jsonBody } from './json.ts';
import { findError, type Operation } from './operation.ts';
import type { Protocol } from './protocol.ts';
import { type RestSource, readBoundMember } from './rest-bindings.ts';
import { matchPath, routeOf } from './rest-route.ts';

const codec = createJsonCodec({ jsonName: true });

interface Source extends RestSource {
  readonly body: Readonly<Record<string, unknown>>;
}

/** Reads a member of the input from the path, the query, a header, or (without a trait) the body. */
function readMember(name: string, schema: NormalizedSchema, source: Source): unknown {
  const member = readBoundMember(name, schema, source);
  if (member.kind === 'bound') return member.value;
  const { jsonName } = schema.getMergedTraits();
  const json = source.body[typeof jsonName === 'string' ? jsonName : name];
  return json === undefined || json === null ? undefined : codec.decode(schema, json);
}

function decode(request: AwsHttpRequest, operation: Operation): Record<string, unknown> {
  if (operation.input.isUnitSchema()) return {};
  const labels = matchPath(operation.http?.[1] ?? '', request.path) ?? {};
  const source: Source = { request, labels, body: jsonBody(request) };
  const result: Record<string, unknown> = {};
  for (const [name, schema] of operation.input.structIterator()) {
    const value = readMember(name, schema, source);
    if (value !== undefined) result[name] = value;
  }
  return result;
}

const headers = (requestId: string): Record<string, string> => ({
  'content-type': 'application/json',
  'x-amzn-requestid': requestId,
});

/** Smithy, aws.protocols#restJson1, as far as EventBridge Scheduler uses it: no streams, no payload members. */
export const restJson: Protocol = {
  operationName: (request, model) => routeOf(model.client, request.method, request.path)?.name,
  decode,
  encode: ({ requestId, operation, output }) => ({
    statusCode: operation.http?.[2] ?? 200,
    headers: headers(requestId),
    body: operation.output.isUnitSchema() ? '{}' : codec.encode(operation.output, output ?? {}),
  }),
  encodeError: ({ model, requestId, error }) => {
    const shape = findError(model.client, error.code);
    return {
      statusCode: shape?.httpStatus ?? error.statusCode,
      headers: { ...headers(requestId), 'x-amzn-errortype': error.code },
      body: JSON.stringify({ [messageMember(shape)]: error.message }),
    };
  },
  codes: { ...jsonErrorCodes, accessDeniedStatus: 403, authenticationStatus: 403 },
};
