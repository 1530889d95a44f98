import type { AwsHttpResponse } from '../request-handler.ts';
import { AwsError } from './aws-error.ts';
import { readShape } from './shape.ts';
import { parseXml, type XmlElement, XmlError, xmlReader } from './xml.ts';

const errorShape = { Code: 'string', Message: 'string' } as const;
const batchShape = { Messages: ['string'] } as const;

/**
 * `ErrorResponse > Error` in Query and REST, `Response > Errors > Error` in EC2, `InvalidChangeBatch > Messages` in Route 53 as
 * its reference shows it; between AWS and here others answer too.
 */
export function xmlErrorOf({
  statusCode,
  headers,
  body,
}: AwsHttpResponse & { readonly body: string }): AwsError {
  const { Code, Message } = read(parsed(body));
  return new AwsError({
    code: Code ?? `Http${statusCode}`,
    message: Message ?? `AWS answered ${statusCode} without a reason`,
    statusCode,
    requestId: headers['x-amzn-requestid'],
  });
}

function read(document: XmlElement | undefined): {
  readonly Code?: string | undefined;
  readonly Message?: string | undefined;
} {
  const { Messages: messages = [] } = readShape(batchShape, document, xmlReader) ?? {};
  if (document && messages.length > 0) return { Code: document.name, Message: `[${messages.join(', ')}]` };
  const errors = xmlReader.member(document, 'Errors') ?? document;
  return readShape(errorShape, xmlReader.member(errors, 'Error'), xmlReader) ?? {};
}

function parsed(body: string): XmlElement | undefined {
  try {
    return parseXml(body);
  } catch (error) {
    if (error instanceof XmlError) return undefined;
    throw error;
  }
}
