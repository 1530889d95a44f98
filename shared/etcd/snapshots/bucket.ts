/** An object as the bucket lists it. */
export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
}

export interface SnapshotContent {
  readonly bytes: number;
  /** Hexadecimal, of the whole. */
  readonly sha256: string;
}

export type SnapshotErrorCode =
  | 'no-bucket'
  | 'not-found'
  | 'denied'
  /** What came back is not what was put there, or has changed while it was read. */
  | 'damaged'
  | 'other';

/** A snapshot could not be kept or fetched; the message tells an operator what to do. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
  readonly code: SnapshotErrorCode;

  constructor(code: SnapshotErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Where snapshots are kept. Methods reject with a SnapshotError, or with what broke on the way. */
export interface SnapshotBucket {
  /** Nothing of it is seen before all of it is there; what the stream ends with, this ends with. */
  put(
    object: { readonly key: string; readonly metadata: Readonly<Record<string, string>> },
    chunks: AsyncIterable<Uint8Array>,
  ): Promise<SnapshotContent>;
  /** Every object under the prefix. */
  list(prefix: string): Promise<readonly StoredObject[]>;
  /** Ends with a SnapshotError where it is not what was put there. */
  read(key: string): AsyncIterable<Uint8Array>;
  remove(key: string): Promise<void>;
}
