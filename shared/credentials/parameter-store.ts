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
  /** Overwrites; gives the new version. Without a key the account's default key for SSM encrypts. */
  write(parameter: {
    readonly name: string;
    readonly value: string;
    readonly keyId?: string;
  }): Promise<number>;
}
