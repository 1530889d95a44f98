export interface StoredParameter {
  readonly value: string;
  readonly version: number;
  /** Epoch milliseconds. */
  readonly modifiedAt: number;
}

/** SSM Parameter Store, for secrets: every value is a SecureString. */
export interface ParameterStore {
  /** Undefined when there is no such parameter. */
  read(name: string): Promise<StoredParameter | undefined>;
  /**
   * Overwrites; gives the new version. Without a key the account's default key for SSM encrypts, whichever encrypted before.
   *
   * @throws ParameterVersionsError when a label keeps the oldest version from making room.
   */
  write(parameter: {
    readonly name: string;
    readonly value: string;
    readonly keyId?: string;
  }): Promise<number>;
}

/** 100 versions are kept, and the oldest cannot make room while it carries a label (Systems Manager user guide). */
export class ParameterVersionsError extends Error {
  override readonly name = 'ParameterVersionsError';

  constructor(parameterName: string, options: ErrorOptions) {
    super(
      `parameter ${parameterName} has 100 versions and the oldest carries a label: move the label to a newer version`,
      options,
    );
  }
}
