import type { PutRuleCommandInput, Target } from '@aws-sdk/client-eventbridge';
import type { CreateQueueCommandInput } from '@aws-sdk/client-sqs';

/** A policy document as IAM reads it, every intrinsic resolved. */
export interface PolicyDocument {
  readonly Version?: string | undefined;
  readonly Statement: readonly Readonly<Record<string, unknown>>[];
}

export interface FunctionWiring {
  /** What the deployment calls it: `node-leaving`. */
  readonly name: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly roleArn: string;
  /** The zip of its code, relative to the working directory. */
  readonly artifact: string;
  /** `index.handler`. */
  readonly handler: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
  /** `Allow`: Lambda does not stop the function when its messages lead back to itself. */
  readonly recursiveLoop: 'Allow' | 'Terminate';
  /** Undefined if it shares the concurrency of the account with other functions. */
  readonly reservedConcurrency?: number | undefined;
  readonly asynchronous: AsynchronousWiring;
}

/** What Lambda does with an event that it took on its own account: AWS::Lambda::EventInvokeConfig. */
export interface AsynchronousWiring {
  readonly maximumRetryAttempts: number;
  readonly maximumEventAgeSeconds: number;
  readonly onFailureArn?: string | undefined;
}

export interface RoleWiring {
  readonly roleName: string;
  readonly roleArn: string;
  readonly trustPolicy: PolicyDocument;
  readonly policies: readonly { readonly policyName: string; readonly document: PolicyDocument }[];
}

export interface QueueWiring {
  readonly queueName: string;
  readonly queueUrl: string;
  readonly queueArn: string;
  /** As CreateQueue takes them, the queue's policy and redrive policy included. */
  readonly attributes: NonNullable<CreateQueueCommandInput['Attributes']>;
  /** Each dead-letter queue comes before the queues that name it. */
  readonly deadLetterQueueArn?: string | undefined;
}

/** An event rule or a schedule, as PutRule and PutTargets take them. */
export interface RuleWiring {
  readonly ruleArn: string;
  readonly rule: PutRuleCommandInput & { readonly Name: string };
  readonly targets: readonly Target[];
}

export interface EventSourceMappingWiring {
  readonly eventSourceArn: string;
  readonly functionArn: string;
  readonly enabled: boolean;
  readonly batchSize: number;
  readonly maximumBatchingWindowSeconds: number;
  /** Undefined if only the account limits it. */
  readonly maximumConcurrency?: number | undefined;
  readonly reportBatchItemFailures: boolean;
}

export interface RouteWiring {
  /** `GET /groups/{group}`, `ANY /{proxy+}` or `$default`. */
  readonly routeKey: string;
  readonly functionArn: string;
  readonly authorizationType: 'NONE' | 'AWS_IAM';
  readonly timeoutMilliseconds: number;
}

/** The callers besides its owner that may invoke a function: AWS::Lambda::Permission. */
export interface PermissionWiring {
  readonly functionArn: string;
  readonly principal: string;
  /** May hold wildcards. */
  readonly sourceArn?: string | undefined;
}

export interface TopicWiring {
  readonly topicName: string;
  /** Its policy, as JSON. By default only the services of the account may publish. */
  readonly policy?: string;
  readonly topicArn: string;
}

export interface ScheduleGroupWiring {
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
}

export interface MetricQuery {
  readonly id: string;
  readonly namespace: string;
  readonly metricName: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly statistic: string;
  readonly periodSeconds: number;
}

export interface AlarmWiring {
  readonly alarmName: string;
  readonly description: string;
  /** One metric, or several summed up by `expression`. */
  readonly metrics: readonly MetricQuery[];
  readonly expression?: string | undefined;
  readonly comparisonOperator: string;
  readonly threshold: number;
  readonly evaluationPeriods: number;
  readonly datapointsToAlarm: number;
  readonly treatMissingData: string;
  readonly alarmActions: readonly string[];
  readonly okActions: readonly string[];
  readonly insufficientDataActions: readonly string[];
}

/** A part of the template without a meaning in the sandbox: `NodeLeavingRole.Tags`, and why that does no harm. */
export interface IgnoredPart {
  readonly what: string;
  readonly why: string;
}

/** What a packaged deployment consists of, as the sandbox carries it out. */
export interface Wiring {
  readonly stackName: string;
  readonly accountId: string;
  readonly region: string;
  readonly functions: readonly FunctionWiring[];
  readonly roles: readonly RoleWiring[];
  readonly queues: readonly QueueWiring[];
  readonly rules: readonly RuleWiring[];
  readonly eventSourceMappings: readonly EventSourceMappingWiring[];
  readonly routes: readonly RouteWiring[];
  readonly permissions: readonly PermissionWiring[];
  readonly topics: readonly TopicWiring[];
  readonly scheduleGroups: readonly ScheduleGroupWiring[];
  readonly alarms: readonly AlarmWiring[];
  readonly outputs: Readonly<Record<string, string>>;
  readonly ignored: readonly IgnoredPart[];
}
