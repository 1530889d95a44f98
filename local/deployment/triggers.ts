import type { EventSourceMappingWiring, PermissionWiring, RouteWiring } from '@drover/cloud-sandbox';
import * as z from 'zod/mini';
import { TemplateError } from '../../scripts/deployment/template-error.ts';
import { readResources, type Stack } from './stack.ts';

const mappingReader = {
  type: 'AWS::Lambda::EventSourceMapping',
  schema: z.strictObject({
    EventSourceArn: z.string(),
    FunctionName: z.string(),
    Enabled: z.optional(z.boolean()),
    BatchSize: z.optional(z.number()),
    MaximumBatchingWindowInSeconds: z.optional(z.number()),
    FunctionResponseTypes: z.optional(z.array(z.literal('ReportBatchItemFailures'))),
    ScalingConfig: z.optional(z.strictObject({ MaximumConcurrency: z.coerce.number() })),
  }),
};

/** Lambda's own limits: osls passes a batch of more than ten from a FIFO queue, and Lambda would refuse the deployment. */
function checkBatch({ eventSourceArn, batchSize }: EventSourceMappingWiring, logicalId: string): void {
  if (eventSourceArn.endsWith('.fifo') && batchSize > 10)
    throw new TemplateError(
      `Resources.${logicalId}.Properties.BatchSize`,
      'a FIFO queue gives at most 10 messages',
    );
}

/** What polls the queues for the functions. */
export function readEventSourceMappings(stack: Stack): readonly EventSourceMappingWiring[] {
  return readResources(stack, mappingReader).map(({ logicalId, properties }) => {
    const mapping = {
      eventSourceArn: properties.EventSourceArn,
      functionArn: properties.FunctionName,
      enabled: properties.Enabled ?? true,
      batchSize: properties.BatchSize ?? 10,
      maximumBatchingWindowSeconds: properties.MaximumBatchingWindowInSeconds ?? 0,
      maximumConcurrency: properties.ScalingConfig?.MaximumConcurrency,
      reportBatchItemFailures: properties.FunctionResponseTypes?.includes('ReportBatchItemFailures') ?? false,
    };
    checkBatch(mapping, logicalId);
    return mapping;
  });
}

const permissionReader = {
  type: 'AWS::Lambda::Permission',
  schema: z.strictObject({
    Action: z.literal('lambda:InvokeFunction'),
    FunctionName: z.string(),
    Principal: z.string(),
    SourceArn: z.optional(z.string()),
  }),
};

/** Which services may invoke which function. */
export function readPermissions(stack: Stack): readonly PermissionWiring[] {
  return readResources(stack, permissionReader).map(({ properties }) => ({
    functionArn: properties.FunctionName,
    principal: properties.Principal,
    sourceArn: properties.SourceArn,
  }));
}

const integrationReader = {
  type: 'AWS::ApiGatewayV2::Integration',
  schema: z.strictObject({
    ApiId: z.string(),
    IntegrationType: z.literal('AWS_PROXY'),
    IntegrationUri: z.string(),
    PayloadFormatVersion: z.literal('2.0'),
    TimeoutInMillis: z.optional(z.number()),
  }),
};

const routeReader = {
  type: 'AWS::ApiGatewayV2::Route',
  schema: z.strictObject({
    ApiId: z.string(),
    RouteKey: z.string(),
    Target: z.string(),
    AuthorizationType: z.optional(z.enum(['NONE', 'AWS_IAM'])),
  }),
};

/** The routes of the HTTP API. @throws TemplateError for a route without a function. */
export function readRoutes(stack: Stack): readonly RouteWiring[] {
  const integrations = new Map(
    readResources(stack, integrationReader).map(({ logicalId, properties }) => [
      `integrations/${String(stack.references.ref(logicalId, logicalId))}`,
      properties,
    ]),
  );
  return readResources(stack, routeReader).map(({ logicalId, properties }) => {
    const integration = integrations.get(properties.Target);
    if (!integration)
      throw new TemplateError(`Resources.${logicalId}`, 'leads to no integration of the template');
    return {
      routeKey: properties.RouteKey,
      functionArn: integration.IntegrationUri,
      authorizationType: properties.AuthorizationType ?? 'NONE',
      timeoutMilliseconds: integration.TimeoutInMillis ?? 30_000,
    };
  });
}
