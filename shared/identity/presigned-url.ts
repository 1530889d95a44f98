import type { StsHost } from './sts-hosts.ts';
import { stsHosts } from './sts-hosts.ts';
import { refused, type TokenRefusal } from './token-refusal.ts';

/** A presigned request as its URL says it. */
export interface PresignedUrl {
  readonly host: string;
  readonly endpoint: StsHost;
  /** By their names in lower case; decoded. */
  readonly parameters: ReadonlyMap<string, string>;
  /** The same by the names that were signed. */
  readonly query: Readonly<Record<string, string>>;
}

/**
 * Takes a URL apart as text. `URL` and `URLSearchParams` repair what they read: a port that is the default one, a host in upper case,
 * `/a/../`, a missing path, a percent sign on its own. What they make of a URL is not what STS would be asked.
 */
export function readPresignedUrl(url: string, partition: string): PresignedUrl | TokenRefusal {
  const parts = /^https:\/\/([^/?#]*)([^?#]*)\?([^#]*)$/.exec(url);
  if (!parts) return refused('url', 'it is no https URL with a query and without a fragment');
  const [, host = '', path, query = ''] = parts;
  const endpoint = stsHosts.get(host);
  if (endpoint === undefined) return refused('host', 'its host is no endpoint of AWS STS');
  if (endpoint.partition !== partition)
    return refused('host', `its host is an endpoint of another partition than ${partition}`);
  if (path !== '/') return refused('path', 'its path is not /');
  const parameters = readParameters(query);
  return 'kind' in parameters ? parameters : { host, endpoint, ...parameters };
}

const known = new Set([
  'action',
  'version',
  'x-amz-algorithm',
  'x-amz-credential',
  'x-amz-date',
  'x-amz-expires',
  'x-amz-security-token',
  'x-amz-signature',
  'x-amz-signedheaders',
]);

function readParameters(text: string): Pick<PresignedUrl, 'parameters' | 'query'> | TokenRefusal {
  const parameters = new Map<string, string>();
  const query: Record<string, string> = {};
  for (const pair of text.split('&')) {
    const parsed = /^([A-Za-z-]+)=((?:[\w.~:/=-]|%[0-9A-Fa-f]{2})+)$/.exec(pair);
    if (!parsed) return refused('parameters', 'its query has a part that is not name=value');
    const [, written = '', encoded = ''] = parsed;
    const name = written.toLowerCase();
    if (!known.has(name))
      return refused('parameters', 'its query has a parameter that no presigned request of STS has');
    if (parameters.has(name)) return refused('parameters', `its query has two values of ${name}`);
    const value = decoded(encoded);
    if (value === undefined)
      return refused('parameters', `the value of ${name} has characters that none has`);
    parameters.set(name, value);
    query[written] = value;
  }
  return { parameters, query };
}

/** Each value of a presigned request is printable ASCII without spaces. */
function decoded(encoded: string): string | undefined {
  const text = encoded.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return /^[\x21-\x7e]+$/.test(text) ? text : undefined;
}
