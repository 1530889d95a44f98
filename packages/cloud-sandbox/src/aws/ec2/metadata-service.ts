import type { Clock } from '../../simulation/clock.ts';
import type { Random } from '../../simulation/random.ts';
import { type MetadataSources, metadataItem } from './metadata-items.ts';
import type { SimulatedInstance } from './model.ts';

export interface MetadataRequest {
  readonly method: string;
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export interface MetadataAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface MetadataService {
  handle(request: MetadataRequest): MetadataAnswer;
}

const ttlHeader = 'x-aws-ec2-metadata-token-ttl-seconds';
const tokenHeader = 'x-aws-ec2-metadata-token';
const longestTtlSeconds = 21_600;

/**
 * The metadata service of one instance, version 2 only: a GET needs a token that a PUT gave
 * (https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/configuring-instance-metadata-service.html). Left out: listings, IPv6, dynamic data
 * but user data, and the limit of packets a second.
 */
export function createMetadataService(
  options: MetadataSources & {
    readonly clock: Clock;
    readonly random: Random;
    /** Read at each request: an instance changes. */
    readonly instance: () => SimulatedInstance;
  },
): MetadataService {
  const { clock, random, instance } = options;
  const tokens = new Map<string, number>();

  const issue = (headers: MetadataRequest['headers']): MetadataAnswer => {
    const ttl = headers[ttlHeader] ?? '';
    // A proxy that is open to the world would pass a request on, and say so.
    if (headers['x-forwarded-for'] !== undefined) return { status: 403, body: '' };
    if (!/^\d{1,5}$/.test(ttl) || Number(ttl) < 1 || Number(ttl) > longestTtlSeconds)
      return { status: 400, body: '' };
    const token = random.secretHex(28);
    tokens.set(token, clock.now() + Number(ttl) * 1000);
    return { status: 200, body: token, headers: { [ttlHeader]: ttl } };
  };
  const read = (path: string): MetadataAnswer => {
    const { userData } = instance();
    const body =
      path === 'user-data'
        ? userData && Buffer.from(userData, 'base64').toString('utf8')
        : metadataItem(path.replace(/^meta-data\//, ''), instance(), options);
    return body === undefined ? { status: 404, body: 'Not Found' } : { status: 200, body };
  };
  return {
    handle: ({ method, path, headers }) => {
      const inLatest = path.replace(/^\/latest\//, '');
      if (method === 'PUT' && inLatest === 'api/token') return issue(headers);
      if (method !== 'GET' && method !== 'HEAD') return { status: 405, body: '' };
      const until = tokens.get(headers[tokenHeader] ?? '');
      if (until === undefined || until <= clock.now()) return { status: 401, body: '' };
      return read(inLatest);
    },
  };
}
