import { XmlShapeDeserializer } from '@aws-sdk/core/protocols';
import type { NormalizedSchema } from '@smithy/core/schema';
import { AwsError } from '../service.ts';
import { encodeErrorResponse, queryErrorCodes, xmlResponse } from './aws-query.ts';
import type { AwsHttpRequest } from './http.ts';
import type { Operation } from './operation.ts';
import type { Protocol } from './protocol.ts';
import { readBoundMember } from './rest-bindings.ts';
import { matchPath, routeOf } from './rest-route.ts';
import { encodeXmlMembers } from './xml.ts';

const dateTimeFormat = 5;

const deserializer = new XmlShapeDeserializer({
  timestampFormat: { useTrait: true, default: dateTimeFormat },
  httpBindings: false,
  xmlNamespace: '',
  serviceNamespace: '',
});

const malformed = (message: string): AwsError => new AwsError({ code: 'MalformedInput', message });

type Members = Readonly<Record<string, unknown>>;

/** The members of the body. Throws MalformedInput if it is not XML, or of another operation. */
function readBody(request: AwsHttpRequest, { name, input }: Operation): Members {
  if (request.body.length === 0) return {};
  const root = /^(?:<\?[^>]*\?>|<!--[\s\S]*?-->|\s)*<([\w.:-]+)/.exec(
    Buffer.from(request.body).toString(),
  )?.[1];
  if (root !== input.getName()) throw malformed(`The body is not valid, expected ${input.getName() ?? name}`);
  try {
    return deserializer.read(input, request.body) as Members;
  } catch (error) {
    throw malformed(`Invalid XML ; ${error instanceof Error ? error.message : 'unreadable'}`);
  }
}

function decode(request: AwsHttpRequest, operation: Operation): Record<string, unknown> {
  const labels = matchPath(operation.http?.[1] ?? '', request.path) ?? {};
  const body = readBody(request, operation);
  const result: Record<string, unknown> = {};
  for (const [name, schema] of operation.input.structIterator()) {
    const member = readBoundMember(name, schema, { request, labels });
    const value = member.kind === 'bound' ? member.value : body[name];
    if (value !== undefined) result[name] = value;
  }
  return result;
}

/** Members of an answer that travel as headers, which are texts, and the others. */
function split(schema: NormalizedSchema, output: Members) {
  const headers: Record<string, string> = {};
  const body: Record<string, unknown> = { ...output };
  for (const [name, member] of schema.structIterator()) {
    const { httpHeader } = member.getMergedTraits();
    if (typeof httpHeader !== 'string') continue;
    const value = output[name];
    if (typeof value === 'string') headers[httpHeader.toLowerCase()] = value;
    delete body[name];
  }
  return { headers, body };
}

/** Smithy, aws.protocols#restXml, as far as Route 53 uses it: no streams, no payload members, every body an element. */
export const restXml: Protocol = {
  operationName: (request, model) => routeOf(model.client, request.method, request.path)?.name,
  decode,
  encode: ({ model, requestId, operation, output }) => {
    const { headers, body } = split(operation.output, (output ?? {}) as Members);
    const name = `${operation.name}Response`;
    const members = encodeXmlMembers(operation.output, body);
    const document = `<${name} xmlns="${model.xmlNamespace}">${members}</${name}>`;
    const response = xmlResponse(operation.http?.[2] ?? 200, requestId, document);
    return { ...response, headers: { ...response.headers, ...headers } };
  },
  encodeError: encodeErrorResponse,
  codes: queryErrorCodes,
};
