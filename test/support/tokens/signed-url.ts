import { createHash, createHmac } from 'node:crypto';

/** A presigned GetCallerIdentity as a client could sign it, right or wrong. */
export interface UrlPlan {
  readonly host: string;
  /** Of the credential scope. */
  readonly region: string;
  readonly clusterId: string;
  /** Epoch milliseconds. */
  readonly signedAt: number;
  /** Absent parameters are left out. */
  readonly expires: string | undefined;
  readonly version: string | undefined;
  /** Signed beside `host` and `x-k8s-aws-id`. */
  readonly otherHeader: readonly [name: string, value: string] | undefined;
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string | undefined;
  };
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Signature Version 4 in query parameters, written from its documentation, so that it shares no mistake with the SDK. */
export function signedUrl(plan: UrlPlan): string {
  const { host, region, clusterId, expires, version, otherHeader, credentials } = plan;
  const time = new Date(plan.signedAt).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const scope = [time.slice(0, 8), region, 'sts', 'aws4_request'];
  const headers = [
    ['host', host],
    ['x-k8s-aws-id', clusterId],
    ...(otherHeader ? [otherHeader] : []),
  ].toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1));
  const names = headers.map(([name]) => name).join(';');
  const query = [
    ['Action', 'GetCallerIdentity'],
    ...(version === undefined ? [] : [['Version', version]]),
    ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
    ['X-Amz-Credential', [credentials.accessKeyId, ...scope].join('/')],
    ['X-Amz-Date', time],
    ...(expires === undefined ? [] : [['X-Amz-Expires', expires]]),
    ...(credentials.sessionToken ? [['X-Amz-Security-Token', credentials.sessionToken]] : []),
    ['X-Amz-SignedHeaders', names],
  ]
    .map(([name = '', value = '']) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join('&');
  const lines = headers.map(([name, value]) => `${name}:${value}\n`).join('');
  const request = ['GET', '/', query, lines, names, sha256('')].join('\n');
  const text = ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(request)].join('\n');
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${credentials.secretAccessKey}`);
  const signature = createHmac('sha256', key).update(text).digest('hex');
  return `https://${host}/?${query}&X-Amz-Signature=${signature}`;
}
