import { XmlShapeDeserializer } from '@aws-sdk/core/protocols';
import { AwsError } from '../service.ts';
import { sha256Hex, unsignedPayload } from '../signature/canonical.ts';
import type { AwsHttpRequest, AwsHttpResponse } from './http.ts';
import type { Operation } from './operation.ts';
import type { Answer, Protocol } from './protocol.ts';
import { readBoundMember } from './rest-bindings.ts';
import { addressOf, s3OperationName } from './s3-routes.ts';
import { encodeXmlMembers, escapeXml } from './xml.ts';

const dateTimeFormat = 5;

const deserializer = new XmlShapeDeserializer({
  timestampFormat: { useTrait: true, default: dateTimeFormat },
  httpBindings: false,
  xmlNamespace: '',
  serviceNamespace: '',
});

function decode(request: AwsHttpRequest, operation: Operation): Record<string, unknown> {
  checkBody(request);
  const { bucket, key = '' } = addressOf(request);
  const labels = { Bucket: bucket, Key: key };
  const result: Record<string, unknown> = {};
  for (const [name, schema] of operation.input.structIterator()) {
    const { httpPayload, httpPrefixHeaders: prefix } = schema.getMergedTraits();
    const member = readBoundMember(name, schema, { request, labels });
    if (member.kind === 'bound') result[name] = member.value;
    else if (typeof prefix === 'string') result[name] = withPrefix(request.headers, prefix);
    else if (httpPayload && request.body.length > 0)
      result[name] = schema.isStructSchema() ? deserializer.read(schema, request.body) : request.body;
  }
  return Object.fromEntries(Object.entries(result).filter(([, value]) => value !== undefined));
}

/** The hash of the body is signed in a header of its own, and must be the body's. The signer of a presigned URL does not know the body. */
function checkBody({ headers, query, body }: AwsHttpRequest): void {
  const isPresigned = query.some(([name]) => name === 'X-Amz-Signature');
  const claimed = headers['x-amz-content-sha256'] ?? (isPresigned ? unsignedPayload : undefined);
  if (claimed === undefined)
    throw new AwsError({
      code: 'InvalidRequest',
      message: 'Missing required header for this request: x-amz-content-sha256',
    });
  if (claimed.startsWith('STREAMING-'))
    throw new AwsError({
      code: 'NotImplemented',
      message: 'This sandbox takes no bodies in signed chunks.',
      statusCode: 501,
    });
  if (claimed !== unsignedPayload && claimed !== sha256Hex(body))
    throw new AwsError({
      code: 'XAmzContentSHA256Mismatch',
      message: "The provided 'x-amz-content-sha256' header does not match what was computed.",
    });
}

/** Undefined if there is none. */
function withPrefix(headers: AwsHttpRequest['headers'], prefix: string): Record<string, string> | undefined {
  const found = Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith(prefix) ? [[name.slice(prefix.length), value] as const] : [],
  );
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

type Members = Readonly<Record<string, unknown>>;

const headerText = (value: unknown): string =>
  value instanceof Date ? value.toUTCString() : typeof value === 'string' ? value : JSON.stringify(value);

const element = (name: string, members: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><${name} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${members}</${name}>`;

/** Smithy, aws.protocols#restXml, as S3 speaks it: some members are headers, a payload is bytes or the whole document, the others are the document. */
function encode({
  requestId,
  operation,
  output,
  request,
}: Answer & { readonly operation: Operation; readonly output: unknown }): AwsHttpResponse {
  const members = (output ?? {}) as Members;
  const headers: Record<string, string> = { 'x-amz-request-id': requestId };
  const document: Record<string, unknown> = { ...members };
  let payload: Uint8Array | undefined;
  for (const [name, schema] of operation.output.structIterator()) {
    const { httpHeader, httpPayload, httpPrefixHeaders: prefix } = schema.getMergedTraits();
    const value = members[name];
    if (!(httpHeader || httpPayload || prefix)) continue;
    delete document[name];
    if (value === undefined) continue;
    if (typeof httpHeader === 'string') headers[httpHeader.toLowerCase()] = headerText(value);
    else if (typeof prefix === 'string')
      for (const [key, text] of Object.entries(value as Members))
        headers[`${prefix}${key}`] = headerText(text);
    else if (value instanceof Uint8Array) payload = value;
    else if (schema.isStructSchema()) payload = Buffer.from(element(name, encodeXmlMembers(schema, value)));
  }
  const statusCode = members['ContentRange'] === undefined ? (operation.http?.[2] ?? 200) : 206;
  if (payload !== undefined || request.method === 'HEAD') return { statusCode, headers, body: payload ?? '' };
  const root = operation.output.isUnitSchema() ? undefined : operation.output.getMergedTraits().xmlName;
  if (typeof root !== 'string' || Object.keys(document).length === 0)
    return { statusCode, headers, body: '' };
  const body = element(root, encodeXmlMembers(operation.output, document));
  return { statusCode, headers: { ...headers, 'content-type': 'application/xml' }, body };
}

const encodeError: Protocol['encodeError'] = ({ request, requestId, error }) => {
  const { code, message, statusCode } = error;
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${escapeXml(message)}</Message><RequestId>${requestId}</RequestId></Error>`;
  const headers = { 'x-amz-request-id': requestId, 'content-type': 'application/xml' };
  return { statusCode, headers, body: request.method === 'HEAD' ? '' : body };
};

/** Amazon S3's own kind of REST-XML: the schemas do not say which of its paths means what. */
export const s3Rest: Protocol = {
  operationName: s3OperationName,
  decode,
  encode,
  encodeError,
  codes: {
    missingToken: 'AccessDenied',
    invalidToken: 'InvalidAccessKeyId',
    expiredToken: 'ExpiredToken',
    invalidSignature: 'SignatureDoesNotMatch',
    unknownOperation: 'NotImplemented',
    accessDenied: 'AccessDenied',
    accessDeniedStatus: 403,
    authenticationStatus: 403,
    // "Error responses" of the S3 API reference.
    late: {
      code: 'RequestTimeTooSkewed',
      message: 'The difference between the request time and the current time is too large.',
      statusCode: 403,
      minutes: 15,
      presigned: { code: 'AccessDenied', message: 'Request has expired' },
    },
  },
};
