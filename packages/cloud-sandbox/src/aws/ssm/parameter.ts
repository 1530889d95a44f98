import type { ParameterTier, ParameterType, Tag } from '@aws-sdk/client-ssm';

/** One version of a parameter. Times are milliseconds of the simulation's clock. */
export interface ParameterVersion {
  readonly version: number;
  readonly value: string;
  readonly tier: ParameterTier;
  readonly dataType: string;
  readonly description: string | undefined;
  readonly allowedPattern: string | undefined;
  readonly keyId: string | undefined;
  readonly modifiedAt: number;
  readonly modifiedBy: string;
  readonly labels: Set<string>;
}

export interface StoredParameter {
  readonly name: string;
  readonly arn: string;
  readonly type: ParameterType;
  /** Oldest first; never empty. */
  readonly versions: ParameterVersion[];
  readonly tags: Map<string, string>;
}

export const latest = ({ name, versions }: StoredParameter): ParameterVersion => {
  const version = versions.at(-1);
  if (version === undefined) throw new RangeError(`the parameter ${name} has no version`);
  return version;
};

export const tagList = (parameter: StoredParameter): Tag[] =>
  [...parameter.tags].map(([key, value]) => ({ Key: key, Value: value }));
