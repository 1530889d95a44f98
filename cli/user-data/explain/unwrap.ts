import { isGzip, unpacked } from '../gzip.ts';
import { longestUserData } from '../longest-user-data.ts';

export interface Unwrapped {
  readonly text: string;
  /** What is around it, from the outside to the inside. */
  readonly wrappings: readonly ('JSON of AWS' | 'base64' | 'gzip')[];
  /** As EC2 counts: compressed, and before base64. */
  readonly sizeBytes: number;
  readonly faults: readonly string[];
}

/**
 * A user data as a file or an answer of AWS has it: plain, in base64, in the JSON of describe-instance-attribute,
 * describe-launch-template-versions or a launch template's data, compressed. Pure.
 */
export function unwrap(given: string): Unwrapped {
  const inJson = userDataInJson(given);
  const outer = inJson === undefined ? [] : (['JSON of AWS'] as const);
  const encoded = inJson ?? given;
  const bytes = inBase64(encoded);
  if (bytes === undefined)
    return {
      text: encoded,
      wrappings: outer,
      sizeBytes: Buffer.byteLength(encoded),
      faults: [...tooLong(Buffer.byteLength(encoded)), ...binary(encoded)],
    };
  const isPacked = isGzip(bytes);
  const text = isPacked ? unpacked(bytes) : bytes.toString('utf8');
  return {
    text: text ?? '',
    wrappings: [...outer, 'base64', ...(isPacked ? (['gzip'] as const) : [])],
    sizeBytes: bytes.length,
    faults: [
      ...tooLong(bytes.length),
      ...(text === undefined ? ['it is compressed, and cannot be unpacked'] : binary(text)),
      ...(text !== undefined && inBase64(text) !== undefined
        ? ['it is encoded in base64 twice, so cloud-init ignores it: encode it once']
        : []),
    ],
  };
}

const tooLong = (size: number): readonly string[] =>
  size > longestUserData ? [`it has ${size} bytes, and EC2 takes ${longestUserData}`] : [];

const binary = (text: string): readonly string[] =>
  text.includes('\ufffd')
    ? ['it is not text: give a compressed one in base64, as `base64 FILE` prints it']
    : [];

/** Bytes that are base64 of a text that cloud-init or Ignition could know; undefined if it is not base64. */
function inBase64(text: string): Buffer | undefined {
  const compact = text.replaceAll(/\s/g, '');
  if (compact.length < 8 || !/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) return undefined;
  return Buffer.from(compact, 'base64');
}

/** The one value of `UserData` in a document of AWS. An Ignition configuration is JSON too, and has none. */
function userDataInJson(text: string): string | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  const found: string[] = [];
  try {
    JSON.parse(text, (key, value: unknown) => {
      if (key !== 'UserData') return value;
      if (typeof value === 'string') found.push(value);
      else if (isAttribute(value)) found.push(value.Value);
      return value;
    });
  } catch {
    // No JSON: text that begins with a brace is for the reader of formats, which says what it is.
    return undefined;
  }
  return found.length === 1 ? found[0] : undefined;
}

const isAttribute = (value: unknown): value is { readonly Value: string } =>
  typeof value === 'object' && value !== null && 'Value' in value && typeof value.Value === 'string';
