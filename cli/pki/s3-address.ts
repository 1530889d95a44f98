import { InvalidArgumentError } from 'commander';

/** A bucket of S3 and the beginning of the keys in it, without a slash at its end. */
export interface S3Address {
  readonly bucket: string;
  readonly prefix: string;
}

/** Names that need no encoding in a URL, a shell or a policy. */
const pattern = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w.-]+)+)$/;

/** Undefined for any other text. Pure. */
export function s3AddressOf(text: string): S3Address | undefined {
  const [, bucket, path] = pattern.exec(text) ?? [];
  return bucket === undefined || path === undefined ? undefined : { bucket, prefix: path.slice(1) };
}

/** @throws InvalidArgumentError, which commander turns into a usage error. */
export function s3Address(text: string): string {
  if (s3AddressOf(text) !== undefined) return text;
  throw new InvalidArgumentError('write s3://BUCKET/PREFIX, with letters, digits, dots and dashes');
}
