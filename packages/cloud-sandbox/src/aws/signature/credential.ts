import type { AwsHttpRequest } from '../codec/http.ts';

/** What a signed request says about its signature (Signature Version 4), not yet believed. */
export interface SignatureClaim {
  readonly accessKeyId: string;
  /** `YYYYMMDD`. */
  readonly date: string;
  readonly region: string;
  readonly service: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  /** `YYYYMMDDTHHMMSSZ`. */
  readonly timestamp: string;
  readonly sessionToken: string | undefined;
  /** Seconds that a presigned request lives; undefined when a header signs. */
  readonly expiresSeconds: number | undefined;
}

const algorithm = 'AWS4-HMAC-SHA256';

const parts = (
  credential: string,
): Pick<SignatureClaim, 'accessKeyId' | 'date' | 'region' | 'service'> | undefined => {
  const fields = credential.split('/');
  const [accessKeyId, date, region, service, end] = fields;
  if (!accessKeyId || !date || !region || !service || end !== 'aws4_request' || fields.length !== 5) {
    return undefined;
  }
  return { accessKeyId, date, region, service };
};

/** Reads the claim from the Authorization header or a presigned query; undefined when the request is not signed so. */
export const readClaim = (request: AwsHttpRequest): SignatureClaim | undefined =>
  readHeader(request) ?? readQuery(request);

function readHeader(request: AwsHttpRequest): SignatureClaim | undefined {
  const header = request.headers['authorization'];
  if (header === undefined || !header.startsWith(`${algorithm} `)) return undefined;
  const fields = new Map(
    header
      .slice(algorithm.length)
      .split(',')
      .map((field) => {
        const [name = '', ...value] = field.trim().split('=');
        return [name, value.join('=')] as const;
      }),
  );
  const scope = parts(fields.get('Credential') ?? '');
  const signature = fields.get('Signature');
  const signedHeaders = fields.get('SignedHeaders');
  if (scope === undefined || signature === undefined || signedHeaders === undefined) return undefined;
  return {
    ...scope,
    signature,
    signedHeaders: signedHeaders.split(';'),
    timestamp: request.headers['x-amz-date'] ?? '',
    sessionToken: request.headers['x-amz-security-token'],
    expiresSeconds: undefined,
  };
}

function readQuery(request: AwsHttpRequest): SignatureClaim | undefined {
  const query = new Map(request.query);
  if (query.get('X-Amz-Algorithm') !== algorithm) return undefined;
  const scope = parts(query.get('X-Amz-Credential') ?? '');
  const signature = query.get('X-Amz-Signature');
  if (scope === undefined || signature === undefined) return undefined;
  return {
    ...scope,
    signature,
    signedHeaders: (query.get('X-Amz-SignedHeaders') ?? '').split(';'),
    timestamp: query.get('X-Amz-Date') ?? '',
    sessionToken: query.get('X-Amz-Security-Token'),
    expiresSeconds: Number(query.get('X-Amz-Expires') ?? Number.NaN),
  };
}
