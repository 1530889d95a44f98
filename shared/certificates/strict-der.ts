import { AsnConvert } from '@peculiar/asn1-schema';

/** A request that Drover does not read. The message says why, after "the request cannot be read: ". */
export class UnreadableRequestError extends Error {
  override readonly name = 'UnreadableRequestError';
}

/**
 * Whether a value encodes to the bytes that it was read from. The parser accepts BER, which has several encodings for one value; the API
 * server and the signer read only DER.
 */
export const isSameDer = (value: unknown, der: Uint8Array): boolean =>
  Buffer.from(AsnConvert.serialize(value)).equals(der);
