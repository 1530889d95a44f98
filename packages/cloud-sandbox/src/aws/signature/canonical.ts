import { createHash } from 'node:crypto';
import type { AwsHttpRequest } from '../codec/http.ts';

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** Encoded once more than it travels, as every service asks but S3, which takes it as it is. */
function canonicalPath(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  const trailing = segments.length > 0 && path.endsWith('/') ? '/' : '';
  return `/${segments.map(encode).join('/')}${trailing}`;
}

function canonicalQuery(request: AwsHttpRequest): string {
  return request.query
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([leftName, leftValue], [rightName, rightValue]) =>
      leftName === rightName ? compare(leftValue, rightValue) : compare(leftName, rightName),
    )
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

const compare = (left: string, right: string): number => (left < right ? -1 : Number(left > right));

export const sha256Hex = (data: string | Uint8Array): string =>
  createHash('sha256').update(data).digest('hex');

/** '' for a header that is not there, whatever its name is. */
const headerOf = ({ headers }: AwsHttpRequest, name: string): string =>
  Object.hasOwn(headers, name) ? (headers[name] ?? '') : '';

/** The canonical request of Signature Version 4 (IAM user guide, "Create a signed AWS API request"). */
export function canonicalRequest(
  request: AwsHttpRequest,
  signedHeaders: readonly string[],
  service?: string,
): string {
  const isS3 = service === 's3';
  const headers = signedHeaders.map(
    (name) => `${name}:${headerOf(request, name).trim().replace(/\s+/g, ' ')}\n`,
  );
  return [
    request.method,
    isS3 ? request.path : canonicalPath(request.path),
    canonicalQuery(request),
    headers.join(''),
    signedHeaders.join(';'),
    isS3 ? s3PayloadHash(request) : sha256Hex(request.body),
  ].join('\n');
}

/** What S3 takes for the hash of a body that is not signed. */
export const unsignedPayload = 'UNSIGNED-PAYLOAD';

/** S3 API reference, "Authenticating Requests: Using Query Parameters": the signer of a presigned URL does not know the body. */
function s3PayloadHash(request: AwsHttpRequest): string {
  const isPresigned = request.query.some(([name]) => name === 'X-Amz-Signature');
  const said = headerOf(request, 'x-amz-content-sha256');
  if (said !== '') return said;
  return isPresigned ? unsignedPayload : sha256Hex(request.body);
}
