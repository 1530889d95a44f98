import type { AsynchronousWiring, FunctionWiring } from '@drover/cloud-sandbox';
import * as z from 'zod/mini';
import { TemplateError } from '../../scripts/deployment/template-error.ts';
import { readResources, type Stack } from './stack.ts';
import type { State } from './template.ts';

const functionReader = {
  type: 'AWS::Lambda::Function',
  schema: z.strictObject({
    FunctionName: z.string(),
    Handler: z.string(),
    Role: z.string(),
    Timeout: z.number(),
    MemorySize: z.number(),
    RecursiveLoop: z.optional(z.enum(['Allow', 'Terminate'])),
    // As a string if it comes from a parameter of CloudFormation.
    ReservedConcurrentExecutions: z.optional(z.coerce.number()),
    Environment: z.optional(z.strictObject({ Variables: z.record(z.string(), z.string()) })),
  }),
  ignoredProperties: {
    Code: 'the sandbox runs the zip that serverless-state.json names',
    Runtime: 'functions run on the Node of the sandbox',
    Architectures: 'functions run on this machine',
    Description: 'words for people',
    TracingConfig: 'the sandbox has no X-Ray',
    VpcConfig: 'the sandbox has no network between functions and cluster',
    Tags: 'words for people',
  },
};

const invokeConfigReader = {
  type: 'AWS::Lambda::EventInvokeConfig',
  schema: z.strictObject({
    FunctionName: z.string(),
    Qualifier: z.literal('$LATEST'),
    MaximumRetryAttempts: z.optional(z.number()),
    MaximumEventAgeInSeconds: z.optional(z.number()),
    DestinationConfig: z.optional(
      z.strictObject({ OnFailure: z.optional(z.strictObject({ Destination: z.string() })) }),
    ),
  }),
};

/** Lambda's own: two retries, for six hours. */
const asynchronousDefaults: AsynchronousWiring = { maximumRetryAttempts: 2, maximumEventAgeSeconds: 21_600 };

function readInvokeConfigs(stack: Stack): ReadonlyMap<string, AsynchronousWiring> {
  return new Map(
    readResources(stack, invokeConfigReader).map(({ properties }) => [
      properties.FunctionName,
      {
        maximumRetryAttempts: properties.MaximumRetryAttempts ?? asynchronousDefaults.maximumRetryAttempts,
        maximumEventAgeSeconds:
          properties.MaximumEventAgeInSeconds ?? asynchronousDefaults.maximumEventAgeSeconds,
        onFailureArn: properties.DestinationConfig?.OnFailure?.Destination,
      },
    ]),
  );
}

/** The functions, each with its zip. @throws TemplateError for one that serverless-state.json does not know. */
export function readFunctions(stack: Stack, state: State): readonly FunctionWiring[] {
  const invokeConfigs = readInvokeConfigs(stack);
  return readResources(stack, functionReader).map(({ logicalId, properties }) => {
    const known = Object.entries(state.service.functions).find(
      ([, { name }]) => name === properties.FunctionName,
    );
    if (!known)
      throw new TemplateError(`Resources.${logicalId}`, 'serverless-state.json names no artifact for it');
    const [name, { package: artifact }] = known;
    return {
      name,
      functionName: properties.FunctionName,
      functionArn: stack.references.getAttribute(logicalId, 'Arn', `Resources.${logicalId}`),
      roleArn: properties.Role,
      artifact: artifact.artifact,
      handler: properties.Handler,
      environment: properties.Environment?.Variables ?? {},
      timeoutSeconds: properties.Timeout,
      memoryMegabytes: properties.MemorySize,
      recursiveLoop: properties.RecursiveLoop ?? 'Terminate',
      ...(properties.ReservedConcurrentExecutions !== undefined && {
        reservedConcurrency: properties.ReservedConcurrentExecutions,
      }),
      asynchronous: invokeConfigs.get(properties.FunctionName) ?? asynchronousDefaults,
    };
  });
}
