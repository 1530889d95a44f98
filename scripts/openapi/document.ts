import { type CreateDocumentOptions, createDocument, type ZodOpenApiObject } from 'zod-openapi';
import { activityList } from '../../shared/scale-api/schemas/answers/activity.ts';
import {
  capacityChange,
  capacityPlan,
  capacityStatus,
} from '../../shared/scale-api/schemas/answers/capacity.ts';
import { group, groupList } from '../../shared/scale-api/schemas/answers/group.ts';
import { changedHold, holdList, listedHold } from '../../shared/scale-api/schemas/answers/hold.ts';
import { passList } from '../../shared/scale-api/schemas/answers/passes.ts';
import { status } from '../../shared/scale-api/schemas/answers/status.ts';
import { capacityRequest, capacityStatusQuery } from '../../shared/scale-api/schemas/capacity-request.ts';
import { holdExtension, holdParameters, holdRequest } from '../../shared/scale-api/schemas/hold.ts';
import { pageQuery } from '../../shared/scale-api/schemas/paging.ts';
import {
  dryRunQuery,
  groupParameters,
  ifMatch,
  waitQuery,
} from '../../shared/scale-api/schemas/parameters.ts';
import { entityTag, failures, jsonAnswer, retryAfter } from './answers.ts';
import { instancePaths } from './instance-paths.ts';
import { problemResponses } from './problem-responses.ts';
import { schedulePaths } from './schedule-paths.ts';

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
  '/groups/{group}/activities': {
    get: {
      operationId: 'listActivities',
      summary: 'What Auto Scaling did to the group, and why a launch failed',
      requestParams: { ...onGroup, query: pageQuery() },
      responses: {
        '200': jsonAnswer('A page of activities', activityList),
        ...problemResponses('invalid-parameter', 'group-not-found', ...failures),
      },
    },
  },
  '/passes': {
    get: {
      operationId: 'listPasses',
      summary: 'What joins and leaves now, and what it waits for',
      responses: {
        '200': jsonAnswer('The passes in progress', passList),
        ...problemResponses('invalid-parameter', ...failures),
      },
    },
  },
  '/status': {
    get: {
      operationId: 'getStatus',
      summary: 'The state of the cluster in one word, with its reasons',
      responses: {
        '200': jsonAnswer('The state', status),
        ...problemResponses('invalid-parameter', ...failures),
      },
    },
  },
  '/groups/{group}/capacity': {
    get: {
      operationId: 'getCapacity',
      summary: 'The progress of the group towards its capacity, or towards that of a change',
      requestParams: { ...onGroup, query: capacityStatusQuery() },
      responses: {
        '200': {
          ...jsonAnswer('Where it stands now', capacityStatus),
          headers: { ...retryAfter, ...entityTag },
        },
        ...problemResponses('invalid-parameter', 'group-not-found', ...failures),
      },
    },
    put: {
      operationId: 'setCapacity',
      summary: 'Set the desired number of instances',
      requestParams: { ...onGroup, query: dryRunQuery(), header: ifMatch() },
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
          'held',
          'etcd-group',
          'precondition-failed',
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

const onHold = { path: holdParameters() };

const holdPaths: ZodOpenApiObject['paths'] = {
  '/holds': {
    get: {
      operationId: 'listHolds',
      summary: 'Every hold, and how far it is',
      requestParams: { query: pageQuery() },
      responses: {
        '200': jsonAnswer('A page of holds, by group and name', holdList),
        ...problemResponses('invalid-parameter', ...failures),
      },
    },
  },
  '/groups/{group}/holds': {
    get: {
      operationId: 'listHoldsOfGroup',
      summary: 'The holds of one group, and how far each is',
      requestParams: { ...onGroup, query: pageQuery() },
      responses: {
        '200': jsonAnswer('A page of holds, by name', holdList),
        ...problemResponses('invalid-parameter', 'group-not-found', ...failures),
      },
    },
  },
  '/groups/{group}/holds/{name}': {
    get: {
      operationId: 'getHold',
      summary: 'One hold, and how far it is',
      requestParams: { ...onHold, query: waitQuery() },
      responses: {
        '200': { ...jsonAnswer('The hold', listedHold), headers: retryAfter },
        ...problemResponses('invalid-parameter', 'group-not-found', 'hold-not-found', ...failures),
      },
    },
    put: {
      operationId: 'createHold',
      summary: 'Keep at least so many nodes in the group until a time',
      requestParams: { ...onHold, query: dryRunQuery() },
      requestBody: { required: true, content: { 'application/json': { schema: holdRequest() } } },
      responses: {
        '200': jsonAnswer('The hold stands already, or the hold of a dry run', changedHold),
        '201': jsonAnswer('The hold was made', changedHold),
        ...problemResponses(
          'malformed-request',
          'invalid-parameter',
          'group-not-found',
          'hold-taken',
          'hold-over',
          'etcd-group',
          'body-too-large',
          'unsupported-media-type',
          'invalid-body',
          'invalid-hold',
          'capacity-out-of-bounds',
          ...failures,
        ),
      },
    },
    patch: {
      operationId: 'extendHold',
      summary: 'Move the end of a hold to a later time',
      requestParams: { ...onHold, query: dryRunQuery() },
      requestBody: { required: true, content: { 'application/json': { schema: holdExtension() } } },
      responses: {
        '200': jsonAnswer('The hold, whose end is no earlier than asked for', changedHold),
        ...problemResponses(
          'malformed-request',
          'invalid-parameter',
          'group-not-found',
          'hold-not-found',
          'hold-taken',
          'hold-over',
          'body-too-large',
          'unsupported-media-type',
          'invalid-body',
          'invalid-hold',
          ...failures,
        ),
      },
    },
    delete: {
      operationId: 'endHold',
      summary: 'End a hold at once',
      requestParams: { ...onHold, query: dryRunQuery() },
      responses: {
        '204': { description: 'The hold has ended, or would end; MinSize follows within minutes' },
        ...problemResponses('invalid-parameter', 'group-not-found', 'hold-not-found', ...failures),
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
  paths: { ...paths, ...instancePaths, ...holdPaths, ...schedulePaths },
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
