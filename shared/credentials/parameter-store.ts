export interface StoredParameter {
  readonly value: string;
  readonly version: number;
  /** Epoch milliseconds. */
  readonly modifiedAt: number;
}

/** SSM Parameter Store, for secrets: every value is a SecureString. */
export interface ParameterStore {
  /** Undefined if there is no such parameter. */
  read(name: string): Promise<StoredParameter | undefined>;
  /**
   * Overwrites, and resolves with the new version. Without a key, the account's default key for SSM is used, whatever key was used before.
   *
   * @throws ParameterVersionsError if a label keeps SSM from deleting the oldest version.
   */
  write(parameter: {
    readonly name: string;
    readonly value: string;
    readonly keyId?: string;
  }): Promise<number>;
}

/** SSM keeps 100 versions, and does not delete the oldest while it has a label (Systems Manager user guide). */
export class ParameterVersionsError extends Error {
  override readonly name = 'ParameterVersionsError';

  constructor(parameterName: string, options: ErrorOptions) {
    super(
      `parameter ${parameterName} has 100 versions and the oldest carries a label: move the label to a newer version`,
      options,
    );
  }
}
