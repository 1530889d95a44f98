/** An object as the bucket lists it. */
export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
  /** When S3 stored it, by the clock of S3: epoch milliseconds. */
  readonly storedAt: number;
}

export interface SnapshotContent {
  readonly bytes: number;
  /** Of the whole content, in hexadecimal. */
  readonly sha256: string;
}

export type SnapshotErrorCode =
  | 'no-bucket'
  | 'not-found'
  | 'denied'
  /** The content differs from what was stored, or changed while it was read. */
  | 'damaged'
  | 'other';

/** A snapshot could not be stored or read. The message says what to do. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
  readonly code: SnapshotErrorCode;

  constructor(code: SnapshotErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Stores snapshots. Methods reject with a SnapshotError, or with the error of the connection. */
export interface SnapshotBucket {
  /** Stores the whole object or nothing. Rejects with the error of the stream. */
  put(
    object: { readonly key: string; readonly metadata: Readonly<Record<string, string>> },
    chunks: AsyncIterable<Uint8Array>,
  ): Promise<SnapshotContent>;
  /** Every object under the prefix. */
  list(prefix: string): Promise<readonly StoredObject[]>;
  /** Throws a SnapshotError if the content differs from what was stored. */
  read(key: string): AsyncIterable<Uint8Array>;
  remove(key: string): Promise<void>;
}
