import { createHash } from 'node:crypto';
import type { AwsConnection } from '../connection.ts';
import type { AwsHttpRequest } from '../request-handler.ts';
import { regionalHost } from './endpoint.ts';
import { s3ErrorOf } from './s3-error.ts';
import { encodeRfc3986, signedHeaders } from './sign.ts';

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  readonly bucket: string;
  /** Absent: the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface S3Answer {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** A part of 8 MB over a slow line, and the minute that S3 may think over a completion. */
const timeoutMilliseconds = 90_000;

/**
 * One signed request to S3: the path is signed as it travels and the hash of the body in a header of its own (S3 API reference,
 * "Signature Calculations for the Authorization Header").
 *
 * @throws AwsError with what S3 said no with.
 */
export async function s3Request(connection: AwsConnection, request: S3Request): Promise<S3Answer> {
  const { method, body = '', query = {} } = request;
  const { url, path } = addressOf(connection, request);
  const headers = {
    host: url.host,
    'x-amz-content-sha256': createHash('sha256').update(body).digest('hex'),
    ...request.headers,
  };
  const unsigned = { method, path, query, headers, body };
  const { region, clock } = connection;
  const credentials = await connection.credentials();
  const terms = { service: 's3', region, credentials, now: clock.now(), encodesPathOnce: true };
  const signed: AwsHttpRequest = {
    ...unsigned,
    ...(typeof body === 'string' ? { body } : { body: '', bytes: body }),
    protocol: url.protocol,
    hostname: url.hostname,
    ...(url.port && { port: Number(url.port) }),
    headers: signedHeaders(unsigned, terms),
    answerIn: 'bytes',
    timeoutMilliseconds,
  };
  const { response } = await connection.requestHandler.handle(signed);
  const answer = { headers: response.headers, body: bytesOf(response.body) };
  if (response.statusCode >= 300) throw s3ErrorOf(response.statusCode, answer);
  return answer;
}

/** The bucket in the host name; in the path at an endpoint of one's own, and where its dots would not fit a certificate. */
function addressOf(
  { endpoint, region }: AwsConnection,
  { bucket, key }: Pick<S3Request, 'bucket' | 'key'>,
): { readonly url: URL; readonly path: string } {
  const host = regionalHost('s3', region);
  const inPath = endpoint !== undefined || bucket.includes('.');
  const url = new URL(endpoint ?? `https://${inPath ? host : `${bucket}.${host}`}`);
  const names = [...(inPath ? [bucket] : []), ...(key === undefined ? [] : key.split('/'))];
  return { url, path: `${url.pathname.replace(/\/$/, '')}/${names.map(encodeRfc3986).join('/')}` };
}

const bytesOf = (body: string | Uint8Array = ''): Uint8Array =>
  typeof body === 'string' ? Buffer.from(body) : body;
