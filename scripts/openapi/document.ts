import type * as z from 'zod/mini';
import {
  type CreateDocumentOptions,
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import { capacityChange, capacityPlan, capacityStatus } from '../../shared/http/schemas/answers/capacity.ts';
import { group, groupList } from '../../shared/http/schemas/answers/group.ts';
import {
  capacityRequest,
  capacityRequestQuery,
  capacityStatusQuery,
} from '../../shared/http/schemas/capacity-request.ts';
import { groupParameters } from '../../shared/http/schemas/parameters.ts';
import { problemResponses } from './problem-responses.ts';

const jsonAnswer = (description: string, schema: z.ZodMiniType): ZodOpenApiResponseObject => ({
  description,
  content: { 'application/json': { schema } },
});

const retryAfter = {
  'Retry-After': {
    schema: { type: 'integer' as const },
    description: 'Seconds until the next poll or retry',
  },
};

/** The problems of any request that calls Auto Scaling. */
const failures = ['internal', 'not-permitted', 'throttled', 'unavailable'] as const;

const onGroup = { path: groupParameters() };

const paths: ZodOpenApiObject['paths'] = {
  '/groups': {
    get: {
      operationId: 'listGroups',
      summary: 'Every managed group',
      responses: {
        '200': jsonAnswer('The groups, by name', groupList),
        ...problemResponses('invalid-parameter', ...failures),
      },
    },
  },
  '/groups/{group}': {
    get: {
      operationId: 'getGroup',
      summary: 'One group with its instances and their nodes',
      requestParams: onGroup,
      responses: {
        '200': jsonAnswer('The group', group),
        ...problemResponses('invalid-parameter', 'group-not-found', ...failures),
      },
    },
  },
  '/groups/{group}/capacity': {
    get: {
      operationId: 'getCapacity',
      summary: 'The progress of the group towards its capacity, or towards that of a change',
      requestParams: { ...onGroup, query: capacityStatusQuery() },
      responses: {
        '200': { ...jsonAnswer('Where it stands now', capacityStatus), headers: retryAfter },
        ...problemResponses('invalid-parameter', 'group-not-found', ...failures),
      },
    },
    put: {
      operationId: 'setCapacity',
      summary: 'Set the desired number of instances',
      requestParams: { ...onGroup, query: capacityRequestQuery() },
      requestBody: { required: true, content: { 'application/json': { schema: capacityRequest() } } },
      responses: {
        '200': jsonAnswer('A dry run: what would happen', capacityPlan),
        '202': {
          ...jsonAnswer('Accepted: the link says when it is done', capacityChange),
          headers: {
            ...retryAfter,
            Location: {
              schema: { type: 'string' as const, format: 'uri-reference' },
              description: 'The link for the progress of the change',
            },
          },
        },
        ...problemResponses(
          'malformed-request',
          'invalid-parameter',
          'group-not-found',
          'group-busy',
          'etcd-group',
          'body-too-large',
          'unsupported-media-type',
          'invalid-body',
          'capacity-out-of-bounds',
          ...failures,
        ),
      },
    },
  },
};

const content: ZodOpenApiObject = {
  openapi: '3.1.0',
  info: {
    title: 'Drover scale API',
    version: '1',
    description: 'The managed Auto Scaling groups of one cluster, their nodes, and their desired capacity.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [
    {
      url: 'https://{apiId}.execute-api.{region}.amazonaws.com',
      variables: { apiId: { default: 'api' }, region: { default: 'eu-west-1' } },
    },
  ],
  security: [{ iam: [] }],
  paths,
  components: {
    securitySchemes: {
      iam: {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description: 'AWS Signature Version 4, service execute-api',
      },
    },
  },
};

/** Answers stay open, because they may gain fields later. The bounds of JavaScript's safe integers are left out. */
const simplify: CreateDocumentOptions['override'] = ({ jsonSchema, io }) => {
  if (io === 'output') delete jsonSchema.additionalProperties;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
};

/** The OpenAPI document of the scale API, made from the schemas that validate its requests. */
export const openApiDocument = () => createDocument(content, { override: simplify });

/** The text of docs/openapi.json. */
export const openApiText = (): string => `${JSON.stringify(openApiDocument(), null, 2)}\n`;
