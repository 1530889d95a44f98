import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { presignedQuery, type SignableRequest, signedHeaders } from '../../../../shared/aws/api/sign.ts';

type Bytes = string | ArrayBuffer | ArrayBufferView;

const bytesOf = (data: Bytes): Uint8Array => {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    : Buffer.from(data);
};

/** SHA-256, keyed or not, in the form that the SDK's signer asks for. */
class Sha256 {
  readonly #hash: Hash | Hmac;
  constructor(secret?: Bytes) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }
  update(data: Bytes): void {
    this.#hash.update(bytesOf(data));
  }
  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }
}

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const word = fc.string({ unit: fc.constantFrom(...'abzAZ09-_.'.split('')), minLength: 1, maxLength: 8 });
const segment = fc.string({
  unit: fc.constantFrom(...'abz09-_.~!*()+ ='.split('')),
  minLength: 1,
  maxLength: 8,
});
const requests: fc.Arbitrary<SignableRequest> = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
  path: fc
    .array(
      segment.filter((name) => !/^\.+$/.test(name)),
      { maxLength: 3 },
    )
    .map((names) => `/${names.map(encodeURIComponent).join('/')}`),
  query: fc.dictionary(word, text, { maxKeys: 4 }),
  headers: fc
    .dictionary(
      word.map((name) => `x-${name.toLowerCase()}`),
      fc
        .string({ unit: fc.constantFrom(...'ab 0/;='.split('')), minLength: 1 })
        .filter((value) => value.trim() !== ''),
      { maxKeys: 3 },
    )
    .map((headers) => ({ ...headers, host: 'autoscaling.eu-west-1.amazonaws.com' })),
  body: text,
});
const terms = fc.record({
  service: fc.constantFrom('autoscaling', 'sqs', 'execute-api'),
  region: fc.constantFrom('eu-west-1', 'us-gov-east-1'),
  credentials: fc.record(
    { accessKeyId: word, secretAccessKey: fc.string({ minLength: 1 }), sessionToken: word },
    { requiredKeys: ['accessKeyId', 'secretAccessKey'] },
  ),
  now: fc.integer({ min: 0, max: 4e12 }),
});

const signerFor = (options: {
  service: string;
  region: string;
  credentials: object;
  uriEscapePath?: boolean;
}) =>
  new SignatureV4({
    ...(options as ConstructorParameters<typeof SignatureV4>[0]),
    sha256: Sha256,
    applyChecksum: false,
  });

const toSdk = ({ method, path, query, headers, body }: SignableRequest) => ({
  method,
  path,
  query: { ...query },
  headers: { ...headers },
  body,
  protocol: 'https:',
  hostname: 'autoscaling.eu-west-1.amazonaws.com',
});

describe('a signature', () => {
  it('is the one of the SDK for every request', async () => {
    await fc.assert(
      fc.asyncProperty(requests, terms, async (request, { now, ...who }) => {
        const { headers } = await signerFor(who).sign(toSdk(request), { signingDate: new Date(now) });
        expect(signedHeaders(request, { ...who, now })).toEqual(headers);
      }),
    );
  });

  it('in a URL is the one of the SDK too', async () => {
    await fc.assert(
      fc.asyncProperty(requests, terms, async (request, { now, ...who }) => {
        const options = { signingDate: new Date(now), expiresIn: 60 };
        const bare = { ...request, body: '', headers: { host: request.headers['host'] ?? '' } };
        const { query } = await signerFor(who).presign(toSdk(bare), options);
        expect(presignedQuery(bare, { ...who, now, expiresInSeconds: 60 })).toEqual(query);
      }),
    );
  });

  it('for S3 is the one of the SDK too: its path as it travels, and the hash of its body in a header', async () => {
    const bodies = fc.oneof(text, fc.uint8Array({ maxLength: 12 }));
    await fc.assert(
      fc.asyncProperty(requests, bodies, terms, async (request, body, { now, ...rest }) => {
        const who = { ...rest, service: 's3' };
        const hash = createHash('sha256').update(body).digest('hex');
        const whole = { ...request, body, headers: { ...request.headers, 'x-amz-content-sha256': hash } };
        const signer = signerFor({ ...who, uriEscapePath: false });
        const { headers } = await signer.sign({ ...toSdk(whole), body }, { signingDate: new Date(now) });
        expect(signedHeaders(whole, { ...who, now, encodesPathOnce: true })).toEqual(headers);
      }),
    );
  });
});
