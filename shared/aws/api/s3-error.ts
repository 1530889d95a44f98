import { AwsError } from './aws-error.ts';
import type { S3Answer } from './s3-request.ts';
import { readShape } from './shape.ts';
import { parseXml, type XmlElement, XmlError, xmlReader } from './xml.ts';

const errorShape = { Code: 'string', Message: 'string' } as const;

/** A HEAD has no body to say why. */
const codesByStatus: Readonly<Record<number, string>> = {
  301: 'PermanentRedirect',
  403: 'AccessDenied',
  404: 'NotFound',
  412: 'PreconditionFailed',
};

/** What S3 said no with: an `Error` element, or only a status. */
export function s3ErrorOf(statusCode: number, { headers, body }: S3Answer): AwsError {
  const { Code, Message } = readShape(errorShape, errorElement(body), xmlReader) ?? {};
  const region = headers['x-amz-bucket-region'];
  const elsewhere = statusCode === 301 && region ? ` (the bucket is in ${region})` : '';
  return new AwsError({
    code: Code ?? codesByStatus[statusCode] ?? `Http${statusCode}`,
    message: `${Message ?? `S3 answered ${statusCode} without a reason`}${elsewhere}`,
    statusCode,
    requestId: headers['x-amz-request-id'],
  });
}

/** The document where it is an `Error`; a completion that fails late is one too, with status 200. */
export function errorElement(body: Uint8Array): XmlElement | undefined {
  try {
    const document = parseXml(Buffer.from(body).toString());
    return document.name === 'Error' ? document : undefined;
  } catch (error) {
    if (error instanceof XmlError) return undefined;
    throw error;
  }
}
