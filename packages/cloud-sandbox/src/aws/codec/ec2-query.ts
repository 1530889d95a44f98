import { decodeForm, queryErrorOf, queryOperationName, xmlResponse } from './aws-query.ts';
import type { Protocol } from './protocol.ts';
import { ec2QueryRules } from './query-decoder.ts';
import { encodeXmlMembers, escapeXml } from './xml.ts';

const encode: Protocol['encode'] = ({ model, requestId, operation, output }) => {
  const members = operation.output.isUnitSchema()
    ? '<return>true</return>'
    : encodeXmlMembers(operation.output, output);
  const name = `${operation.name}Response`;
  const body = `<requestId>${requestId}</requestId>${members}`;
  return xmlResponse(200, requestId, `<${name} xmlns="${model.xmlNamespace}/">${body}</${name}>`);
};

const encodeError: Protocol['encodeError'] = (answer) => {
  const { code, statusCode } = queryErrorOf(answer);
  const detail = `<Code>${code}</Code><Message>${escapeXml(answer.error.message)}</Message>`;
  const body = `<Response><Errors><Error>${detail}</Error></Errors><RequestID>${answer.requestId}</RequestID></Response>`;
  return xmlResponse(statusCode, answer.requestId, body);
};

/**
 * Smithy, aws.protocols#ec2Query. EC2 answers AuthFailure both for a key that it does not know and for a signature that
 * does not match (Amazon EC2 API Reference, common error codes).
 */
export const ec2Query: Protocol = {
  operationName: queryOperationName,
  decode: decodeForm(ec2QueryRules),
  encode,
  encodeError,
  codes: {
    missingToken: 'MissingAuthenticationToken',
    invalidToken: 'AuthFailure',
    expiredToken: 'RequestExpired',
    invalidSignature: 'AuthFailure',
    unknownOperation: 'InvalidAction',
    accessDenied: 'UnauthorizedOperation',
    accessDeniedStatus: 403,
    authenticationStatus: 401,
    late: { code: 'RequestExpired', message: 'Request has expired.', statusCode: 400, minutes: 15 },
  },
};
