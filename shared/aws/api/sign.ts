import { createHash, createHmac } from 'node:crypto';
import type { AwsCredentials } from '../connection.ts';

/** A request as it is signed: `path` begins with a slash and is percent-encoded, `query` holds decoded values. */
export interface SignableRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Names in lower case; `host` among them. With `x-amz-content-sha256` the body's hash is taken from there. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export interface SigningTerms {
  /** The service's signing name: `autoscaling`, `sts`. */
  readonly service: string;
  readonly region: string;
  readonly credentials: AwsCredentials;
  /** Epoch milliseconds. */
  readonly now: number;
  /** S3 signs a path as it travels; every other service wants it encoded once more. */
  readonly encodesPathOnce?: boolean;
}

const algorithm = 'AWS4-HMAC-SHA256';

/**
 * The headers of a request with its signature among them: Signature Version 4, every header signed (IAM user guide, "Create a
 * signed AWS API request").
 */
export function signedHeaders(request: SignableRequest, terms: SigningTerms): Record<string, string> {
  const { sessionToken } = terms.credentials;
  const headers = {
    ...request.headers,
    'x-amz-date': timestampOf(terms.now),
    ...(sessionToken && { 'x-amz-security-token': sessionToken }),
  };
  const signature = signatureOf({ ...request, headers }, terms);
  const credential = `${terms.credentials.accessKeyId}/${scopeOf(terms)}`;
  return {
    ...headers,
    authorization: `${algorithm} Credential=${credential}, SignedHeaders=${namesOf(headers)}, Signature=${signature}`,
  };
}

/** The query of a request that proves who made it to whoever it is shown to, for `expiresInSeconds`. */
export function presignedQuery(
  request: SignableRequest,
  terms: SigningTerms & { readonly expiresInSeconds: number },
): Record<string, string> {
  const { accessKeyId, sessionToken } = terms.credentials;
  const query = {
    ...request.query,
    'X-Amz-Algorithm': algorithm,
    'X-Amz-Credential': `${accessKeyId}/${scopeOf(terms)}`,
    'X-Amz-Date': timestampOf(terms.now),
    'X-Amz-Expires': String(terms.expiresInSeconds),
    'X-Amz-SignedHeaders': namesOf(request.headers),
    ...(sessionToken && { 'X-Amz-Security-Token': sessionToken }),
  };
  return { ...query, 'X-Amz-Signature': signatureOf({ ...request, query }, terms) };
}

/** Percent-encoded as RFC 3986 has it: encodeURIComponent leaves five characters that AWS does not. */
export const encodeRfc3986 = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

function signatureOf(request: SignableRequest, terms: SigningTerms): string {
  const toSign = [algorithm, timestampOf(terms.now), scopeOf(terms), sha256(canonical(request, terms))].join(
    '\n',
  );
  return hmac(signingKey(terms), toSign).toString('hex');
}

function canonical(
  { method, path, query, headers, body }: SignableRequest,
  { encodesPathOnce }: Pick<SigningTerms, 'encodesPathOnce'>,
): string {
  const pairs = Object.entries(query).map(
    ([name, value]) => [encodeRfc3986(name), encodeRfc3986(value)] as const,
  );
  const lines = sortedNames(headers).map((name) => `${name}:${headers[name]?.trim().replace(/\s+/g, ' ')}\n`);
  return [
    method,
    encodesPathOnce ? path : path.split('/').map(encodeRfc3986).join('/'),
    pairs
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map((pair) => pair.join('='))
      .join('&'),
    lines.join(''),
    namesOf(headers),
    headers['x-amz-content-sha256'] ?? sha256(body),
  ].join('\n');
}

/** Good for a day, a region and a service: derived again only when one of them changes. */
let derived: { readonly from: string; readonly key: Buffer } | undefined;

function signingKey(terms: SigningTerms): Buffer {
  const { secretAccessKey } = terms.credentials;
  const from = `${secretAccessKey} ${scopeOf(terms)}`;
  if (derived?.from !== from) {
    const key = scopeOf(terms).split('/').reduce<Buffer | string>(hmac, `AWS4${secretAccessKey}`) as Buffer;
    derived = { from, key };
  }
  return derived.key;
}

/** `20261121T190000Z` */
const timestampOf = (now: number): string => new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, '');
const scopeOf = ({ now, region, service }: SigningTerms): string =>
  `${timestampOf(now).slice(0, 8)}/${region}/${service}/aws4_request`;
const sortedNames = (headers: SignableRequest['headers']): readonly string[] => Object.keys(headers).sort();
const namesOf = (headers: SignableRequest['headers']): string => sortedNames(headers).join(';');
const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();
