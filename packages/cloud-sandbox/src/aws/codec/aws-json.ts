import type { AwsError } from '../service.ts';
import { createJsonCodec, jsonBody } from './json.ts';
import { type ErrorShape, findError } from './operation.ts';
import type { FrontErrorCodes, Protocol, ServiceModel } from './protocol.ts';

const codec = createJsonCodec({ jsonName: false });

export const jsonErrorCodes: FrontErrorCodes = {
  missingToken: 'MissingAuthenticationTokenException',
  invalidToken: 'UnrecognizedClientException',
  expiredToken: 'ExpiredTokenException',
  invalidSignature: 'InvalidSignatureException',
  unknownOperation: 'UnknownOperationException',
  accessDenied: 'AccessDeniedException',
  accessDeniedStatus: 400,
  authenticationStatus: 400,
};

/** What SQS's query protocol called the errors that come before an operation. */
const queryNames: Readonly<Record<string, string>> = {
  MissingAuthenticationTokenException: 'MissingAuthenticationToken',
  UnrecognizedClientException: 'InvalidClientTokenId',
  ExpiredTokenException: 'ExpiredToken',
  InvalidSignatureException: 'SignatureDoesNotMatch',
  UnknownOperationException: 'InvalidAction',
  AccessDeniedException: 'AccessDenied',
};

/** The member of an error that carries its text: `message`, or `Message` where the model spells it so. */
export const messageMember = (shape: ErrorShape | undefined): string =>
  shape?.memberNames.includes('Message') === true ? 'Message' : 'message';

/** Smithy, aws.protocols#awsQueryCompatible: clients that knew the query protocol find their old codes in a header. */
function queryErrorHeader(
  model: ServiceModel,
  error: AwsError,
  shape: ErrorShape | undefined,
): Record<string, string> {
  if (model.queryCompatible !== true) return {};
  const code = shape?.queryError?.[0] ?? queryNames[error.code] ?? error.code;
  return { 'x-amzn-query-error': `${code};${error.statusCode >= 500 ? 'Receiver' : 'Sender'}` };
}

/** Smithy, aws.protocols#awsJson1_0 and #awsJson1_1: SQS; Systems Manager, EventBridge. */
export const createAwsJson = (version: '1.0' | '1.1'): Protocol => {
  const headers = (requestId: string): Record<string, string> => ({
    'content-type': `application/x-amz-json-${version}`,
    'x-amzn-requestid': requestId,
  });
  return {
    operationName: (request) => request.headers['x-amz-target']?.split('.').at(-1),
    decode: (request, operation) => {
      const body = jsonBody(request);
      return operation.input.isUnitSchema() ? {} : (codec.decode(operation.input, body) as typeof body);
    },
    encode: ({ requestId, operation, output }) => ({
      statusCode: 200,
      headers: headers(requestId),
      body: operation.output.isUnitSchema() ? '' : codec.encode(operation.output, output ?? {}),
    }),
    encodeError: ({ model, requestId, error }) => {
      const shape = findError(model.client, error.code);
      const type = shape !== undefined && version === '1.0' ? `${shape.namespace}#${error.code}` : error.code;
      return {
        statusCode: statusOf(model, error, shape),
        headers: { ...headers(requestId), ...queryErrorHeader(model, error, shape) },
        body: JSON.stringify({ __type: type, [messageMember(shape)]: error.message }),
      };
    },
    codes: jsonErrorCodes,
  };
};

/**
 * What a schema says for the query protocol holds only for a service that still answers as that did: Parameter Store answers
 * ParameterNotFound with 400 (vandium-io/aws-param-store, pull request 8), and not with the 404 of its schema.
 */
function statusOf(model: ServiceModel, error: AwsError, shape: ErrorShape | undefined): number {
  const inQuery = model.queryCompatible === true ? shape?.queryError?.[1] : undefined;
  return inQuery ?? shape?.httpStatus ?? error.statusCode;
}
