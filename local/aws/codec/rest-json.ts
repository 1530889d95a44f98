import type { NormalizedSchema } from '@smithy/core/schema';
import { jsonErrorCodes, messageMember } from './aws-json.ts';
import type { AwsHttpRequest } from './http.ts';
import { createJsonCodec, jsonBody } from './json.ts';
import { findError, type Operation } from './operation.ts';
import type { Protocol } from './protocol.ts';
import { awsQueryRules, decodeQuery } from './query-decoder.ts';
import { type Labels, matchPath, routeOf } from './rest-route.ts';

const codec = createJsonCodec({ jsonName: true });

interface Source {
  readonly request: AwsHttpRequest;
  readonly labels: Labels;
  readonly body: Readonly<Record<string, unknown>>;
}

const fromText = (schema: NormalizedSchema, value: string): unknown =>
  decodeQuery(schema, { value, children: new Map() }, awsQueryRules);

function fromQuery(schema: NormalizedSchema, name: string, request: AwsHttpRequest): unknown {
  const values = request.query.filter(([key]) => key === name).map(([, value]) => value);
  const [first] = values;
  if (first === undefined) return undefined;
  if (!schema.isListSchema()) return fromText(schema, first);
  return values.map((value) => fromText(schema.getValueSchema(), value));
}

/** Where a member of the input stands: in the path, the query, a header, or (without a trait) in the body. */
function readMember(name: string, schema: NormalizedSchema, source: Source): unknown {
  const traits = schema.getMergedTraits();
  if (traits.httpLabel) return fromText(schema, source.labels[name] ?? '');
  if (typeof traits.httpQuery === 'string') return fromQuery(schema, traits.httpQuery, source.request);
  if (typeof traits.httpHeader === 'string') {
    const header = source.request.headers[traits.httpHeader.toLowerCase()];
    return header === undefined ? undefined : fromText(schema, header);
  }
  const json = source.body[typeof traits.jsonName === 'string' ? traits.jsonName : name];
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
