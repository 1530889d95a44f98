import { JsonCodec } from '@aws-sdk/core/protocols';
import type { AwsError } from '../service.ts';
import { type FormNode, readForm } from './form.ts';
import { type AwsHttpRequest, type AwsHttpResponse, bodyText } from './http.ts';
import { findError } from './operation.ts';
import type { Answer, FrontErrorCodes, Protocol } from './protocol.ts';
import { awsQueryRules, decodeQuery, type QueryRules } from './query-decoder.ts';
import { encodeXmlMembers, escapeXml } from './xml.ts';

const epochSeconds = 7;
const jsonCodec = new JsonCodec({
  timestampFormat: { useTrait: true, default: epochSeconds },
  jsonName: false,
});

/** The form of a request: its query string and, for a POST, its body. */
function formOf(request: AwsHttpRequest): FormNode {
  const body = request.body.length === 0 ? [] : new URLSearchParams(bodyText(request));
  return readForm([...request.query, ...body]);
}

export const queryOperationName = (request: AwsHttpRequest): string | undefined =>
  formOf(request).children.get('Action')?.value;

export const decodeForm =
  (rules: QueryRules): Protocol['decode'] =>
  (request, operation) =>
    operation.input.isUnitSchema()
      ? {}
      : (decodeQuery(operation.input, formOf(request), rules) as Record<string, unknown>);

/** The code and status of an error in the query protocols: those of its shape's `awsQueryError`, if it has a shape. */
export function queryErrorOf({ model, error }: Answer & { readonly error: AwsError }): {
  readonly code: string;
  readonly statusCode: number;
} {
  const shape = findError(model.client, error.code);
  const [code, statusCode] = shape?.queryError ?? [error.code, shape?.httpStatus ?? error.statusCode];
  return { code, statusCode };
}

export const xmlResponse = (statusCode: number, requestId: string, body: string): AwsHttpResponse => ({
  statusCode,
  headers: { 'content-type': 'text/xml', 'x-amzn-requestid': requestId },
  body: `<?xml version="1.0" encoding="UTF-8"?>${body}`,
});

const wantsJson = (request: AwsHttpRequest): boolean =>
  (request.headers['accept'] ?? '').includes('application/json');

const jsonResponse = (statusCode: number, requestId: string, value: unknown): AwsHttpResponse => ({
  statusCode,
  headers: { 'content-type': 'application/json', 'x-amzn-requestid': requestId },
  body: JSON.stringify(value),
});

const encode: Protocol['encode'] = ({ model, request, requestId, operation, output }) => {
  const result = `${operation.name}Result`;
  if (wantsJson(request))
    return jsonResponse(200, requestId, jsonAnswer(operation.name, requestId, toJson()));
  const members = encodeXmlMembers(operation.output, output);
  const inner = operation.output.isUnitSchema() ? '' : `<${result}>${members}</${result}>`;
  const metadata = `<ResponseMetadata><RequestId>${requestId}</RequestId></ResponseMetadata>`;
  const name = `${operation.name}Response`;
  return xmlResponse(200, requestId, `<${name} xmlns="${model.xmlNamespace}">${inner}${metadata}</${name}>`);

  function toJson(): unknown {
    if (operation.output.isUnitSchema()) return null;
    const serializer = jsonCodec.createSerializer();
    serializer.write(operation.output, output ?? {});
    return JSON.parse(serializer.flush());
  }
};

/** As STS answers a presigned GetCallerIdentity that accepts JSON (aws-iam-authenticator reads exactly this). */
const jsonAnswer = (operation: string, requestId: string, result: unknown): unknown => ({
  [`${operation}Response`]: { [`${operation}Result`]: result, ResponseMetadata: { RequestId: requestId } },
});

/** `ErrorResponse`, in XML, or in JSON if the request asks for it. */
export const encodeErrorResponse: Protocol['encodeError'] = (answer) => {
  const { model, request, requestId, error } = answer;
  const { code, statusCode } = queryErrorOf(answer);
  const type = statusCode >= 500 ? 'Receiver' : 'Sender';
  if (wantsJson(request)) {
    const body = { Error: { Code: code, Message: error.message, Type: type }, RequestId: requestId };
    return jsonResponse(statusCode, requestId, body);
  }
  const detail = `<Type>${type}</Type><Code>${code}</Code><Message>${escapeXml(error.message)}</Message>`;
  const body = `<Error>${detail}</Error><RequestId>${requestId}</RequestId>`;
  return xmlResponse(
    statusCode,
    requestId,
    `<ErrorResponse xmlns="${model.xmlNamespace}">${body}</ErrorResponse>`,
  );
};

export const queryErrorCodes: FrontErrorCodes = {
  missingToken: 'MissingAuthenticationToken',
  invalidToken: 'InvalidClientTokenId',
  expiredToken: 'ExpiredToken',
  invalidSignature: 'SignatureDoesNotMatch',
  unknownOperation: 'InvalidAction',
  accessDenied: 'AccessDenied',
  accessDeniedStatus: 403,
  authenticationStatus: 403,
};

/** Smithy, aws.protocols#awsQuery: Auto Scaling, SNS, STS, Elastic Load Balancing. */
export const awsQuery: Protocol = {
  operationName: queryOperationName,
  decode: decodeForm(awsQueryRules),
  encode,
  encodeError: encodeErrorResponse,
  codes: queryErrorCodes,
};
