import type { PolicyContext } from '../context.ts';

export type Input = Readonly<Record<string, unknown>>;
export type Tags = Readonly<Record<string, string>>;

/** One permission that a call needs. A call may need several, each on its own resource. */
export interface Requirement {
  readonly action: string;
  /** An ARN, or `*` where the service takes no resource. */
  readonly resource: string;
  readonly context?: PolicyContext;
}

/** What a permission depends on and the call does not say; asked of the simulated services. */
export interface ResourceLookup {
  /** The tags of a resource; undefined when it does not exist or has none. */
  readonly tags: (arn: string) => Tags | undefined;
  readonly autoScalingGroupArn: (autoScalingGroupName: string) => string | undefined;
  readonly autoScalingGroupOfInstance: (instanceId: string) => string | undefined;
  /**
   * The customer managed KMS key of an SSM parameter; undefined for a plain parameter and for the default key, whose own
   * policy lets everyone who may use Parameter Store use it through Parameter Store.
   */
  readonly parameterKeyArn: (parameterName: string) => string | undefined;
  /** The ARN of the permissions boundary of a role; undefined if it has none, or does not exist. */
  readonly roleBoundary: (roleName: string) => string | undefined;
}

export interface RuleQuestion {
  readonly operation: string;
  readonly input: Input;
  readonly accountId: string;
  readonly region: string;
  readonly lookup: ResourceLookup;
}

/** What the operations of one service need (Service Authorization Reference). */
export type ServiceRule = (question: RuleQuestion) => readonly Requirement[];

export const text = (input: Input, name: string): string | undefined => {
  const value = input[name];
  return typeof value === 'string' ? value : undefined;
};

export const texts = (input: Input, name: string): readonly string[] => {
  const value = input[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
};

export const records = (input: Input, name: string): readonly Input[] => {
  const value = input[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : [];
};

/** `aws:RequestTag/<key>` and `aws:TagKeys` of the tags that a call brings. */
export function requestTagContext(tags: readonly Input[]): PolicyContext {
  const pairs = tags.map((tag) => [text(tag, 'Key') ?? '', text(tag, 'Value') ?? ''] as const);
  if (pairs.length === 0) return {};
  return {
    ...Object.fromEntries(pairs.map(([key, value]) => [`aws:RequestTag/${key}`, value])),
    'aws:TagKeys': pairs.map(([key]) => key),
  };
}

/** The permission to hand a role to a service, where a call names one. */
export const passRole = (roleArn: string | undefined, service: string): readonly Requirement[] =>
  roleArn === undefined
    ? []
    : [{ action: 'iam:PassRole', resource: roleArn, context: { 'iam:PassedToService': service } }];
