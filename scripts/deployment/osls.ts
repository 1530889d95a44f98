import type { SQSClientConfig } from '@aws-sdk/client-sqs';

export type ClientConfig = Pick<SQSClientConfig, 'region' | 'credentials' | 'endpoint'>;

/** Values that only CloudFormation knows are objects. */
export type FunctionEnvironment = Readonly<Record<string, unknown>>;

/** The parts of osls that the plugin uses. */
export interface Serverless {
  readonly classes: { readonly Error: new (message: string, code: string) => Error };
  readonly processedInput: { readonly commands: readonly string[] };
  readonly service: {
    readonly provider: {
      readonly stackTags?: Readonly<Record<string, string>>;
      readonly environment?: FunctionEnvironment;
    };
    readonly functions?: Readonly<
      Record<string, { readonly condition?: string; readonly environment?: FunctionEnvironment }>
    >;
    readonly resources?: { readonly Conditions?: Readonly<Record<string, unknown>> };
    readonly custom: {
      readonly region?: string | null;
      readonly operatorRole?: string;
      readonly commandLineParameters?: readonly string[] | null;
    };
  };
  getProvider(name: 'aws'): {
    readonly naming: { getStackName(): string };
    getStage(): string;
    getAwsSdkV3Config(): Promise<ClientConfig>;
  };
}
